// Runs first in an isolated world of the main frame: the scripts of pages can access neither its variables nor the channel
// to the window host. Each message contains the origin from this world, which no page can change.
(function () {
  "use strict";
  // Only pages with a channel have the object. The question is answered at once, without a dialog.
  const answer = typeof qt === "undefined" ? null : window.prompt(__QUESTION__);
  if (!answer) {
    return;
  }
  const { scripts, config } = JSON.parse(answer);
  const here = location.protocol === "file:" ? "file://" + location.pathname : self.origin;
  __QWEBCHANNEL__
  const documentId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");

  const MOST_SENT = 32;
  const MOST_CHARACTERS = 65536;

  function connect(port) {
    // The window process handles the messages of all pages in order of arrival. A page that sends thousands would delay
    // the others until all of them are handled. Therefore a few are sent together, and the next ones after the response.
    const waiting = [{ op: "hello" }];
    let first = 0;
    let host = null;
    let isSending = false;
    const take = () => {
      const texts = [];
      for (let length = 0; first < waiting.length && texts.length < MOST_SENT && length < MOST_CHARACTERS; first += 1) {
        texts.push(JSON.stringify(waiting[first]) ?? "null");
        length += texts[texts.length - 1].length;
        waiting[first] = null;
      }
      if (first === waiting.length) {
        waiting.length = first = 0;
      }
      return texts;
    };
    const send = () => {
      if (host === null || isSending || waiting.length === 0) {
        return;
      }
      isSending = true;
      const sender = JSON.stringify({ document: documentId, origin: here }).slice(0, -1);
      host.receive(`${sender},"messages":[${take()}]}`, () => {
        isSending = false;
        send();
      });
    };
    port.onmessage = (event) => {
      waiting.push(event.data);
      send();
    };
    new QWebChannel(qt.webChannelTransport, (channel) => {
      host = channel.objects.page;
      // Responses for an earlier document of the window also arrive here, if it was left before they arrived.
      host.sent.connect((text) => {
        const message = JSON.parse(text);
        if (message.document === documentId) {
          port.postMessage(message);
        }
      });
      send();
    });
  }

  // Scripts of the main world run next, before any script of the page. They ask whether they are selected; the first one
  // passes its end of the port.
  let isConnected = false;
  document.addEventListener(
    __EVENT__,
    (event) => {
      event.stopImmediatePropagation();
      if (event instanceof CustomEvent) {
        scripts.includes(event.detail) && event.preventDefault();
      } else if (!isConnected) {
        isConnected = true;
        connect(event.ports[0]);
        document.dispatchEvent(new CustomEvent(`${__EVENT__}-config`, { detail: JSON.stringify(config) }));
      }
    },
    { capture: true },
  );
})();
