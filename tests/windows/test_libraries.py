"""The unmodified desktop libraries in the pages of real windows: the calls that tests/desktop/t42 makes in Node."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import Capture
from tests.desktop.t42.libraries import FOLDER, LIBRARIES, PROJECT
from tests.desktop.t42.libraries import PAGES as NODE_PAGES
from tests.desktop.t42.test_libraries import EXPECTED, EXPECTED_OF_APPS, NOT_IN_OLD
from tests.windows.desk import DeskOfTests, button
from tests.windows.pages import Answer, page

pytestmark = pytest.mark.asyncio(loop_scope="module")

NEW, OLD = "new", "old"
RUN = """<script src="/{name}.js"></script><script type="module">
import {{ makeCalls, run }} from "/calls.mjs";
import {{ callServices }} from "/service_calls.mjs";
const create = window.IODesktop ?? window.Glue;
window.startServices = async (options) => {{
  const io = await create({{ channels: true, layouts: "full" }});
  window.services = await callServices(io, options);
}};
window.startCalls = (names) => {{
  window.reports = [];
  const calls = makeCalls({{ create, options: {{}}, mode: "full", pages: location.origin }});
  run(calls, names, (one) => window.reports.push(one)).then(() => (window.finished = true));
}};
</script>"""
NODE_ONLY = {"stray", "startAndWait", "appsWaitForReady", "appsGet", "appsGetMany"}
"""Calls about the apps of the other tests."""
NEEDS_PERSON = {"dialog", "devTools", "feedback", "print"}
"""Calls that show something which stays until a person closes it, and printing, which needs a printer."""
LAST = ("onShuttingDown", "done")


def script(path: Path) -> Callable[[], Answer]:
    return lambda: (200, {"Content-Type": "text/javascript"}, path.read_bytes())


def bundle(library: str) -> Callable[[], Answer]:
    return script(PROJECT / "node_modules" / library / "dist" / "desktop.umd.js")


PAGES = {
    **{f"/{name}.js": bundle(one) for name, one in zip((NEW, OLD), LIBRARIES, strict=True)},
    **{f"/{name}": page(name, RUN.format(name=name)) for name in (NEW, OLD)},
    **{f"/{name}": page(name) for name in ("clock", "first", "second", "third", "next")},
    "/file": (200, {"Content-Type": "application/octet-stream"}, b"content"),
    "/calls.mjs": script(FOLDER / "calls.mjs"),
    "/service_calls.mjs": script(Path(__file__).with_name("service_calls.mjs")),
}
PLACE = {"left": 1000, "top": 50, "width": 400, "height": 300}
APPS = {
    NEW: {"url": "/new", **PLACE, "allowCookiesManipulation": True},
    OLD: {"url": "/old", **PLACE},
    "clock": {"url": "/clock", "left": 0, "top": 0, "width": 900, "height": 500, "mode": "flat"},
}
SETTINGS = {
    "appStores": [{"type": "path", "details": {"path": "apps"}}, {"type": "in-memory"}],
    "channels": {
        "definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}, {"name": "Blue", "meta": {"color": "#0000ff"}}]
    },
    "themes": {"availableThemes": [{"name": "light", "displayName": "Day"}, {"name": "dark", "displayName": "Night"}]},
    "interception": {"enabled": True, "applications": [NEW]},
}
EXPECTED_HERE: dict[str, Any] = {
    # The screen of these tests has 1600 by 900 pixels.
    "center": [595, 295, 410, 310],
    "place": [1380, 0, 220, 450],
    "clearPlacement": [595, 295, 350, 310],
    "application": ["clock", "window", None, [], {}, 900, True, "flat"],
    "applications": ["clock", NEW, OLD],
}


async def calls_in(desk: DeskOfTests, app: str, names: list[str]) -> tuple[str, dict[str, Any]]:
    """Make calls in the page of an app; return its instance, and what the library answered."""
    instance, _ = await desk.loaded(app)
    async with desk.cdp.page(f"/{app}") as inside:
        await inside.until("window.startCalls !== undefined")
        await inside.evaluate(f"window.startCalls({names!r})")
        await inside.until("window.finished", 120)
        reports = await inside.evaluate("window.reports")
    assert {one["name"]: one["error"] for one in reports if "error" in one} == {}
    answered = {one["name"]: one.get("value") for one in reports}
    # The window manager decides when a window gets the focus.
    answered["events"] = [one for one in answered["events"] if one != "FocusChanged"]
    return instance, answered


def expected_of(desk: DeskOfTests, app: str, names: list[str]) -> dict[str, Any]:
    """Return what the calls answer in Node, with the addresses, apps and sizes of these tests."""
    replaced = {**EXPECTED, **EXPECTED_OF_APPS, **EXPECTED_HERE}
    client = {"list": ["first", app, "second"], "myApplication": app, "appsMy": [app, "autoStart"]}
    prevented = {"onShuttingDown": [f"The shutdown is prevented by {app}.", [[False, "test"]]]}
    replaced |= {**client, **prevented}
    return {name: _at(replaced[name], desk.pages.address) for name in names}


def _at(value: Any, origin: str) -> Any:
    if isinstance(value, list):
        return [_at(one, origin) for one in value]
    return value.replace(NODE_PAGES, origin) if isinstance(value, str) else value


@pytest.mark.long
async def test_every_call_of_the_newer_library_works_in_a_window_as_it_does_in_node(desk: DeskOfTests) -> None:
    left_out = NODE_ONLY | NEEDS_PERSON
    names = [one for one in (*EXPECTED, *EXPECTED_OF_APPS) if one not in left_out and one not in LAST]

    instance, answered = await calls_in(desk, NEW, ["init", "my", *names, *LAST])

    Path(answered.pop("printToPDF")).unlink()  # noqa: ASYNC240 - a test may wait for the disk
    names.remove("printToPDF")
    assert (answered["init"], answered["my"]) == (["windows", "appManager", "apps"], instance)
    assert {name: answered[name] for name in (*names, *LAST)} == expected_of(desk, NEW, [*names, *LAST])


@pytest.mark.long
async def test_the_older_library_works_in_a_window(desk: DeskOfTests) -> None:
    every = ["open", "openRelative", "list", "moveResize", "maximize", "restore", "focus", "hide", "show", "setTitle"]
    every += ["navigate", "updateContext", "events", "snap", "unknownCommand", "close", "applications", "start", "stop"]
    assert not NOT_IN_OLD & {*every}

    instance, answered = await calls_in(desk, OLD, ["init", "my", *every])

    assert (answered["init"], answered["my"]) == (["windows", "appManager"], instance)
    assert {name: answered[name] for name in every} == expected_of(desk, OLD, every)


SERVICES = [
    "interop", "contexts", "channels", "intents", "notifications", "preferences", "hotkeys", "displays", "themes",
    "layouts", "shutdown",
]  # fmt: skip
ONLY_NEW = ["channels of windows", "interception", "cookies"]


@pytest.mark.long
@pytest.mark.parametrize("app", [NEW, OLD])
async def test_the_libraries_use_every_other_service_in_a_window(desk: DeskOfTests, app: str) -> None:
    await desk.loaded(app)
    async with desk.cdp.page(f"/{app}") as inside:
        await inside.until("window.startServices !== undefined")
        is_new = app == NEW
        await inside.evaluate(f"void window.startServices({{ isNew: {str(is_new).lower()}, app: '{app}' }})")
        found = await inside.until("window.services", 120)
    assert found["errors"] == {}
    assert sorted(found["names"]) == sorted([*SERVICES, *(ONLY_NEW if is_new else ())])


async def test_a_button_that_an_app_takes_away_is_gone_from_the_bar(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("clock")
    client = await desk.platform.gateway.local_peer("client", "ann")
    call = {"command": "resetButtons", "windowId": instance, "options": {"allowClose": False}}

    assert await client.methods.call("T42.Wnd.Execute", call) == {}
    # A picture needs the bar as it is now: the maximize button is where the close button was.
    await desk.act(instance, Capture())
    desk.screen.click(*button(window, "close"))

    await desk.report("StateChanged", instance, lambda one: one.state == "maximized")
    assert desk.platform.services.instances.get(instance) is not None
