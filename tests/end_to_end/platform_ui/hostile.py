"""The page of a hostile app: it speaks the protocols of the libraries itself, and sends whatever a test wants."""

from tests.end_to_end.platform_ui.interop import ConnectedFirm

PAGE = """<!doctype html><meta charset="utf-8"><title>hostile</title><h1>hostile</h1><script>
const platform = opener ?? parent;
window.got = [];
/** Connect as a client library does; give the port of the relay. */
window.relayPort = (more = {}) => new Promise((resolve, reject) => {
  const clientId = crypto.randomUUID();
  const listener = ({ data }) => {
    const message = data?.glue42core;
    if (message?.clientId !== clientId) return;
    removeEventListener("message", listener);
    if (message.type !== "connectionAccepted") return reject(new Error(message.error));
    message.port.onmessage = ({ data }) => got.push(data);
    resolve(message.port);
  };
  addEventListener("message", listener);
  platform.postMessage({ glue42core: { type: "connectionRequest", clientId, clientType: "child", ...more } }, "*");
});
/** Wait a while for the frame with the ID of a request. */
window.answer = async (id, tries = 1000) => {
  for (let turn = 0; turn < tries; turn += 1) {
    const found = got.find(each => each.request_id === id);
    if (found) return found;
    await new Promise(next => setTimeout(next, 10));
  }
  return null;
};
/** Connect and sign in as a library does; give the port and the welcome. */
window.signedIn = async (first = { type: "hello", request_id: crypto.randomUUID() }, tries) => {
  const port = await relayPort();
  port.postMessage(first);
  return [port, await answer(first.request_id, tries)];
};
/** Connect as FDC3 does. */
window.fdc3Port = () => new Promise(resolve => {
  const connectionAttemptUuid = crypto.randomUUID();
  addEventListener("message", ({ data, ports }) => {
    if (data?.meta?.connectionAttemptUuid === connectionAttemptUuid) resolve(ports[0]);
  });
  platform.postMessage({ type: "WCP1Hello", meta: { connectionAttemptUuid } }, "*");
});
</script>"""


async def add_hostile_apps(firm: ConnectedFirm) -> None:
    """Add the page as an app in panels, and as one in windows."""
    (firm.folder / "pages" / "hostile.html").write_text(PAGE)
    for title, more in (("Hostile", {}), ("Outside", {"openInBrowser": "window", "width": 420, "height": 300})):
        await firm.add_app(title, "/hostile.html", **more)
