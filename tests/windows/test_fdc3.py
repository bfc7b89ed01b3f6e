"""FDC3 in windows: a page with the client of FINOS and a page with a desktop library see each other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agents.main_page import build
from tests.desktop.t42.libraries import LIBRARIES, PROJECT
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Answer, page

pytestmark = pytest.mark.asyncio(loop_scope="module")


def script(path: Path) -> Callable[[], Answer]:
    return lambda: (200, {"Content-Type": "text/javascript"}, path.read_bytes())


def client() -> Answer:
    """The page's script with the unmodified client, which finds `window.fdc3` with `getAgent()`."""
    folder = Path(PROJECT).parents[1] / "build" / "fdc3-client"
    folder.mkdir(parents=True, exist_ok=True)
    build(folder, "app-page")
    return (200, {"Content-Type": "text/javascript"}, (folder / "app-page.js").read_bytes())


LIBRARY = """<script src="/library.js"></script><script>
window.heard = [];
window.connecting = IODesktop({ channels: true }).then(async (io) => {
  await io.channels.join("Red");
  await io.channels.subscribe((data) => { if (data.fdc3) { heard.push(data.fdc3); } });
  await io.intents.register("ViewClock", (context) => ({ ...context, shown: true }));
  window.io = io;
});
</script>"""
CLIENT = """<script type="module" src="/app-page.js"></script><script type="module">
window.handled = [];
window.agent = await connecting;
await agent.addIntentListener("StartMail", async (context) => {
  handled.push(context);
  return { type: "fdc3.email", sent: "yes" };
});
await agent.joinUserChannel("fdc3.red");
window.isReady = true;
</script>"""
QUOTES = """<script type="module" src="/app-page.js"></script><script type="module">
window.handled = [];
window.agent = await connecting;
await agent.addIntentListener("ViewQuote", async (context) => {
  handled.push(context);
  return { type: "fdc3.valuation", value: 42 };
});
</script>"""
PAGES = {
    "/library.js": script(PROJECT / "node_modules" / LIBRARIES[0] / "dist" / "desktop.umd.js"),
    "/app-page.js": client,
    "/clock": page("clock", LIBRARY),
    "/mail": page("mail", CLIENT),
    "/quotes": page("quotes", QUOTES),
}
DECLARED = {"displayName": "View a quote", "contexts": ["fdc3.instrument"], "resultType": "fdc3.valuation"}
APPS = {
    "clock": {"url": "/clock", "left": 0, "top": 0, "width": 500, "height": 300},
    "mail": {"url": "/mail", "left": 600, "top": 0, "width": 500, "height": 300, "autoInjectFdc3": {"enabled": True}},
    "quotes": {"type": "web", "url": "/quotes", "interop": {"intents": {"listensFor": {"ViewQuote": DECLARED}}}},
}
SETTINGS = {"channels": {"definitions": [{"name": "Red", "meta": {"color": "#ff0000", "fdc3": {"id": "fdc3.red"}}}]}}
IBM = '{"type": "fdc3.instrument", "id": {"ticker": "IBM"}}'
ADA = '{"type": "fdc3.contact", "name": "Ada"}'


@pytest.mark.long
async def test_a_page_with_fdc3_and_a_page_with_a_desktop_library_share_a_channel_and_intents(
    desk: DeskOfTests,
) -> None:
    await desk.loaded("clock")
    mail, _ = await desk.loaded("mail")
    async with desk.cdp.page("/clock") as clock, desk.cdp.page("/mail") as client:
        await clock.until("window.io !== undefined")
        await client.until("window.isReady === true")
        own = await client.evaluate("agent.getInfo().then((info) => info.appMetadata)")
        assert (own["appId"], own["instanceId"]) == ("mail", mail)

        await client.evaluate(f"agent.broadcast({IBM})")
        assert await clock.until("heard[0]") == {"type": "fdc3.instrument", "id": {"ticker": "IBM"}}
        await clock.evaluate(f"io.channels.publish({ADA}, {{ fdc3: true }})")
        assert await client.until("contexts.at(-1)") == {"type": "fdc3.contact", "name": "Ada"}

        shown = f"agent.raiseIntent('ViewClock', {IBM}).then((found) => found.getResult())"
        assert (await client.evaluate(shown))["shown"] is True
        raised = f"io.intents.raise({{ intent: 'StartMail', context: {{ type: 'fdc3.contact', data: {ADA} }} }})"
        await clock.evaluate(f"{raised}.then((one) => {{ window.result = one.result; }})")
        result = await clock.until("window.result")
        assert (result["type"], result["sent"]) == ("fdc3.email", "yes")
        assert await client.evaluate("handled.length") == 1


async def test_a_desktop_library_finds_and_raises_the_intent_of_an_fdc3_record(desk: DeskOfTests) -> None:
    await desk.loaded("clock")
    async with desk.cdp.page("/clock") as clock:
        await clock.until("window.io !== undefined")
        (found,) = await clock.evaluate("io.intents.find({ name: 'ViewQuote', contextType: 'fdc3.instrument' })")
        (handler,) = found["handlers"]
        assert (handler["applicationName"], handler["type"]) == ("quotes", "app")
        assert (handler["displayName"], handler["resultType"]) == ("View a quote", "fdc3.valuation")
        assert "ViewQuote" in await clock.evaluate("io.intents.all().then((all) => all.map((one) => one.name))")

        context = f"{{ type: 'fdc3.instrument', data: {IBM} }}"
        raised = f"io.intents.raise({{ intent: 'ViewQuote', context: {context} }})"
        await clock.evaluate(
            f"{raised}.then((one) => {{ window.raised = one; }}, (error) => {{ window.raised = {{ error }}; }})"
        )
        answer = await clock.until("window.raised")
        assert answer.get("result", {}).get("value") == 42, answer
        (quotes,) = [one for one in desk.platform.services.instances.all if one.app == "quotes"]
        assert answer["handler"]["instanceId"] == quotes.id
        async with desk.cdp.page("/quotes") as page_of_quotes:
            assert await page_of_quotes.evaluate("handled.map((one) => one.id.ticker)") == ["IBM"]
