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

  function connect(port) {
    const waiting = [];
    let host = null;
    const send = (message) => host.receive(JSON.stringify({ ...message, document: documentId, origin: here }));
    port.onmessage = (event) => (host === null ? waiting.push(event.data) : send(event.data));
    new QWebChannel(qt.webChannelTransport, (channel) => {
      host = channel.objects.page;
      // Responses for an earlier document of the window also arrive here, if it was left before they arrived.
      host.sent.connect((text) => {
        const message = JSON.parse(text);
        if (message.document === documentId) {
          port.postMessage(message);
        }
      });
      send({ op: "hello" });
      waiting.splice(0).forEach(send);
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
