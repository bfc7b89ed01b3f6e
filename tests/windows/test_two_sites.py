"""Pages of two sites: an app, and another site that it opens or embeds."""

import json
import os
from random import Random

import pytest

from rostrum.desktop.hosts.reports import HostLost, LoadFinished
from tests.long_form import cycles
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Pages, page

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEEN = "<script>window.first = [typeof iodesktop, typeof glue42gd, typeof qt].join();</script>"
EMBEDS = """<iframe id=frame></iframe><script>
  document.getElementById('frame').src = new URLSearchParams(location.search).get('frame');
  const told = []; addEventListener('message', (event) => told.push(event.data));
</script>"""
ACTS = """<script>
  let last = null;
  addEventListener("message", ({ data }) => {
    if (data.do === "open") { last = window.open(data.address, "", data.features); }
    else if (data.do === "close") { last?.close(); }
    else if (data.do === "go" && last) { last.location = data.address; }
    else if (data.do === "blank") { window.open("", "", data.features)?.close(); }
  });
</script>"""
OPERATIONS = 12
PAGES = {"/app": page("App", SEEN), "/more": page("More", SEEN), "/embeds": page("Embeds", SEEN + EMBEDS)}
PLACE = {"left": 200, "top": 150, "width": 500, "height": 400}
APPS = {"app": {"url": "/app", **PLACE}, "embeds": {"url": "/embeds", **PLACE}}
API, NONE = "object,object,undefined", "undefined,undefined,undefined"


def is_running(desk: DeskOfTests) -> bool:
    """Return whether the window process has not ended."""
    return not [one for one in desk.reported if isinstance(one, HostLost)]


async def loaded(desk: DeskOfTests, path: str) -> None:
    """Wait until a window has loaded a page; pages that get no window are never reported."""

    def is_loaded() -> bool:
        return any(isinstance(one, LoadFinished) and one.url.endswith(path) for one in desk.reported)

    await desk.screen.until(f"the page {path}", is_loaded)


@pytest.mark.long
@pytest.mark.parametrize(
    "way", [pytest.param("address", marks=pytest.mark.long), "redirect", pytest.param("form", marks=pytest.mark.long)]
)
async def test_an_app_has_the_api_on_its_own_site_only_wherever_its_page_goes(
    desk: DeskOfTests, evil: Pages, way: str
) -> None:
    there, back = {
        "address": (f"{evil.address}/there", f"{desk.pages.address}/more"),
        "redirect": (f"{desk.pages.address}/leave", f"{evil.address}/return"),
        "form": (f"{evil.address}/there", f"{evil.address}/return"),
    }[way]
    desk.pages.answers["/leave"] = 302, {"Location": f"{evil.address}/there"}, b""
    evil.answers["/return"] = 302, {"Location": f"{desk.pages.address}/more"}, b""
    evil.answers["/there"] = page("There", SEEN)
    await desk.loaded("app")
    async with desk.cdp.page("/app") as inside:

        async def go(script: str, path: str) -> str:
            """Let the page go somewhere; return what its first script sees there."""
            await inside.evaluate(f"void setTimeout(() => {{ delete window.first; {script} }})")
            await inside.until(f"window.first && location.pathname === '{path}' && document.readyState === 'complete'")
            return str(await inside.evaluate("window.first"))

        def leave(address: str) -> str:
            if way != "form":
                return f"location.href = '{address}'"
            return (
                "const form = document.createElement('form'); form.method = 'post'; "
                f"form.action = '{address}'; document.body.append(form); form.submit()"
            )

        assert await go("location.reload()", "/app") == API
        assert await go(leave(there), "/there") == NONE
        if way == "form":
            # Browsers ask before they send a form again.
            assert await go(leave(back), "/more") == API
            return
        assert await go("location.reload()", "/there") == NONE
        assert await go(leave(back), "/more") == API
        assert await go("location.reload()", "/more") == API
        assert await go("history.back()", "/there") == NONE
        assert await go("history.back()", "/app") == API
        assert await go("history.forward()", "/there") == NONE
        assert await go("history.forward()", "/more") == API
        # The API works: the gateway gives this page a token.
        assert isinstance(await inside.evaluate("iodesktop.getGWToken()"), str)


async def test_windows_of_another_site_that_an_app_opens_keep_their_opener(desk: DeskOfTests, evil: Pages) -> None:
    evil.answers["/popup"] = page("Popup", f"{SEEN}<script>opener.postMessage(window.first, '*')</script>")
    await desk.loaded("app")
    async with desk.cdp.page("/app") as app:
        await app.evaluate("void (window.told = new Promise((done) => onmessage = (event) => done(event.data)))")
        await app.evaluate(f"void (window.other = window.open('{evil.address}/popup'))")
        assert await app.evaluate("told") == NONE
        await app.evaluate("other.close()")
        await app.until("other.closed")
    assert is_running(desk)


@pytest.mark.long
@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_frame_of_another_site_gets_no_access_to_a_window_of_the_app(
    desk: DeskOfTests, evil: Pages, features: str
) -> None:
    script = f"const opened = window.open('{desk.pages.address}/more', '', '{features}');"
    tell = "parent.postMessage(opened === null || opened.closed ? 'closed' : 'open', '*')"
    evil.answers["/frame"] = page("Frame", f"<script>{script} setInterval(() => {tell}, 50)</script>")
    await desk.loaded("app")
    await desk.loaded("embeds", details={"url": f"{desk.pages.address}/embeds?frame={evil.address}/frame"})
    await loaded(desk, "/more")
    async with desk.cdp.page("/more") as more:
        await more.until("document.title === 'More'")
        # The address belongs to the app, so it is another instance of it, as if a person had opened it.
        assert await more.evaluate("[window.first, String(window.opener)]") == [API, "null"]
    async with desk.cdp.page("/embeds") as embeds:
        await embeds.until("told.at(-1) === 'closed'")
    assert is_running(desk)


@pytest.mark.long
async def test_a_frame_of_the_app_itself_opens_windows_that_keep_their_opener(desk: DeskOfTests) -> None:
    desk.pages.answers["/frame"] = page("Frame", "<script>window.opened = window.open('/more')</script>")
    await desk.loaded("embeds", details={"url": f"{desk.pages.address}/embeds?frame=/frame"})
    await loaded(desk, "/more")
    async with desk.cdp.page("/more") as more:
        await more.until("document.title === 'More'")
        assert await more.evaluate("[window.first, opener.document.title]") == [API, "Frame"]


async def test_a_page_that_is_closed_before_it_has_a_window_gets_none(desk: DeskOfTests) -> None:
    registry = desk.platform.services.windows.registry
    await desk.loaded("app")
    async with desk.cdp.page("/app") as app:
        await app.evaluate("void window.open('/more').close()")
        await app.evaluate("void (window.last = window.open('/more'))")
        await loaded(desk, "/more")
    assert sorted(one.url.rpartition("/")[2] for one in registry.all) == ["app", "more"]
    assert is_running(desk)


@pytest.mark.long
async def test_random_popups_frames_and_closes_over_two_sites_end_no_process(desk: DeskOfTests, evil: Pages) -> None:
    """The long form is ``LONG=25``, so many sequences; ``SEED`` selects the first one."""
    first = int(os.environ.get("SEED", "1"))
    for seed in range(first, first + cycles(1)):
        chosen, done = Random(seed), list[str]()
        for pages in (desk.pages, evil):
            pages.answers["/acts"] = page("Acts", ACTS)
        addresses = [f"{one.address}{path}" for one in (desk.pages, evil) for path in ("/acts", "/more", "/missing")]
        await desk.loaded("embeds", details={"url": f"{desk.pages.address}/embeds?frame={evil.address}/acts"})
        async with desk.cdp.page("/embeds") as inside:
            await inside.evaluate(ACTS.removeprefix("<script>").removesuffix("</script>"))
            for _ in range(OPERATIONS):
                act = {
                    "do": chosen.choice(["open", "open", "open", "close", "go", "blank"]),
                    "address": chosen.choice([*addresses, "about:blank", ""]),
                    "features": chosen.choice(["", "", "noopener", "popup,width=200,height=150"]),
                }
                target = chosen.choice(["window", "frames[0]"])
                done.append(f"{target} {act}")
                await inside.evaluate(f"{target}.postMessage({json.dumps(act)}, '*')")
                if chosen.random() < 0.3:
                    address = chosen.choice(addresses)
                    done.append(f"frame {address}")
                    await inside.evaluate(f"void (document.getElementById('frame').src = {address!r})")
                windows = [one for one in desk.platform.services.windows.registry.all if one.opener]
                if windows and chosen.random() < 0.4:
                    await desk.platform.host.close_window(chosen.choice(windows).id)
            assert await inside.evaluate("document.title") == "Embeds", (seed, done)
        await desk.close_all()
        assert is_running(desk), (seed, done)
