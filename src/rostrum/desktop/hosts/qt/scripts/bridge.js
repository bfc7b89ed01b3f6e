// Runs in an isolated world of the main frame: the scripts of pages can access neither its variables nor the channel to
// the window host. Each message contains the origin from this world, which no page can change.
(function () {
  "use strict";
  const config = __CONFIG__;
  const here = location.protocol === "file:" ? "file://" + location.pathname : self.origin;
  if (!config.origins.includes(here) || typeof qt === "undefined") {
    return;
  }
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

  // The script of the main world runs next, before any script of the page, and passes its end of the port.
  document.addEventListener(
    config.event,
    (event) => {
      event.stopImmediatePropagation();
      connect(event.ports[0]);
    },
    { once: true, capture: true },
  );
})();
