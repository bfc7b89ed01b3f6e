"""Service workers, dialogs and floods of a hostile page, in real windows over two sites."""

import asyncio
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import Reload
from rostrum.desktop.hosts.reports import HostLost
from rostrum.desktop.services.notifications import Notification
from tests.desktop.services.test_app_rights import execute
from tests.desktop.test_identities import bearing, signed_in
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Pages, page
from tests.windows.screen import Window
from tests.windows.test_hostile_pages import PLACE, START, start_on_other_site
from tests.windows.test_services import library

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long]

WORKER = b"""
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(new Response("stolen")));
addEventListener("message", async ({ data, source }) => {
  const seen = (await clients.matchAll({ includeUncontrolled: true, type: "all" })).map((one) => one.url);
  const loaded = await fetch(data.address, { mode: "no-cors" }).then(() => true, () => false);
  source.postMessage({ seen, loaded, api: [typeof iodesktop, typeof glue42gd].join() });
});
"""
REGISTERS = """(async () => {
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const answer = new Promise((done) => navigator.serviceWorker.onmessage = ({ data }) => done(data));
  active.postMessage({ address: ADDRESS });
  return await answer;
})()"""
SCRIPT = {"Content-Type": "text/javascript"}
PAGES = {
    "/victim": page("Victim", START),
    "/other": page("Other", START),
    "/library.js": library,
    "/data": (200, {"Content-Type": "text/plain", "Access-Control-Allow-Origin": "*"}, b"genuine"),
}
APPS = {"victim": {"url": "/victim", **PLACE, "left": 700}, "other": {"url": "/other", **PLACE, "top": 500}}
SETTINGS = {
    "appStores": [{"type": "path", "details": {"path": "apps"}}, {"type": "in-memory"}],
    "windows": {"urlFilter": "^http://[^/]+/[a-z.]*$"},
}


async def test_a_service_worker_of_a_page_has_no_api_and_sees_no_other_site(desk: DeskOfTests, evil: Pages) -> None:
    evil.answers["/worker.js"] = (200, SCRIPT, WORKER)
    evil.answers["/blocked-1"] = page("Blocked")
    victim, _ = await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as other:
        told = await inside.evaluate(REGISTERS.replace("ADDRESS", f"'{evil.address}/blocked-1'"))
        assert told["api"] == "undefined,undefined"
        assert [one for one in told["seen"] if not one.startswith(evil.address)] == []
        # The filter of addresses applies to workers, too.
        assert (told["loaded"], "/blocked-1" in evil.requests) == (False, False)
        desk.reported.clear()
        await desk.act(victim, Reload())
        await desk.report("LoadFinished", victim)
        await other.until("!!window.io")
        assert await other.evaluate("fetch('/data').then((one) => one.text())") == "genuine"
        assert await other.evaluate("navigator.serviceWorker.controller === null")
        answer = f"fetch('{evil.address}/data').then((one) => one.text(), () => 'no access')"
        assert await other.evaluate(answer) == "no access"
    await desk.close_all()
    # After the app is gone, its worker gets nothing of another app.
    (desk.root / "apps" / "evil.json").unlink()
    await desk.screen.until("no app", lambda: desk.platform.services.apps.definition("evil") is None)
    await desk.loaded("victim")
    async with desk.cdp.page("/victim") as other:
        assert await other.evaluate("fetch('/data').then((one) => one.text())") == "genuine"


async def test_the_question_of_the_platform_is_answered_without_a_dialog_and_others_are_asked(
    desk: DeskOfTests,
) -> None:
    await desk.loaded("victim")

    def dialogs() -> list[Window]:
        return [one for one in desk.screen.windows() if "javascript" in one.title.lower()]

    async with desk.cdp.page("/victim") as inside:
        await inside.until("!!window.io")
        assert dialogs() == []
        # A page does not know the text of the question, so what it asks reaches the user.
        asked = asyncio.create_task(inside.evaluate("prompt('bridge')"))
        await desk.screen.until("a dialog", lambda: dialogs() or None)
        desk.screen.key("Escape")
        assert await asked is None


async def test_a_flood_of_notifications_does_not_delay_the_windows_of_other_apps(
    desk: DeskOfTests, evil: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    notifications = desk.platform.services.notifications
    victim, _ = await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    token = bearing(desk.platform.services.tokens.token(victim))
    async with desk.cdp.page("/evil") as inside, signed_in(desk.platform.gateway.address, token) as other:
        await inside.until("!!window.io")
        raised = 0
        add = notifications.add

        async def counted(one: Notification, **options: Any) -> Notification:
            nonlocal raised
            raised += 1
            return await add(one, **options)

        monkeypatch.setattr(notifications, "add", counted)
        one = "io.notifications.raise({ title: 'News' }).catch(() => 0)"
        flood = f"for (let number = 0; number < 12000; number += 1) {{ {one}; }}"
        await inside.evaluate(f"void setTimeout(() => {{ {flood} }})")
        await desk.screen.until("the first notifications", lambda: raised > 200 or None)
        for number in range(5):
            place = {"left": 500 + number, "top": 120, "width": 400, "height": 300}
            options = {"bounds": place}
            moved = await execute(other, "T42.Wnd.Execute", windowId=victim, command="moveResize", options=options)
            assert moved["type"] == "result", moved
        await desk.screen.until("the place", lambda: (one := desk.host.bounds(victim)) and one.left == 504)
        assert raised < 12000, "the operations waited for the complete flood"
    assert len(notifications.all) < 200


async def test_a_flood_of_calls_does_not_delay_the_pages_of_other_apps(
    desk: DeskOfTests, evil: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    notifications = desk.platform.services.notifications
    await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as other:
        await inside.until("!!window.io")
        await other.until("!!window.io")
        raised = 0
        add = notifications.add

        async def counted(one: Notification, **options: Any) -> Notification:
            nonlocal raised
            raised += 1
            return await add(one, **options)

        monkeypatch.setattr(notifications, "add", counted)
        one = "io.notifications.raise({ title: 'News' }).catch((error) => console.error(error))"
        flood = f"for (let number = 0; number < 12000; number += 1) {{ {one}; }}"
        await inside.evaluate(f"void setTimeout(() => {{ {flood} }})")
        await desk.screen.until("the first notifications", lambda: raised > 200 or None)
        for call in ("1", "io.interop.invoke('T42.Wnd.Execute', COMMAND).then(() => 1)") * 5:
            command = "{ windowId: io.windows.my().id, command: 'setZoomFactor', options: 1 }"
            before = raised
            assert await other.evaluate(call.replace("COMMAND", command)) == 1
            # Without a limit, up to ten thousand calls of the hostile page came first.
            assert raised - before < 2000, call
        assert raised < 12000


FRAME = """<script>
  addEventListener("message", async ({ data, source }) => {
    if (data === "ask") {
      alert("Sign in again.");
      source.postMessage([confirm("Sign in?"), prompt("Password of the platform?")], "*");
    }
    if (data === "work") { source.postMessage(await WORKS, "*"); }
  });
</script>"""
ANSWER = "window.told = new Promise((done) => addEventListener('message', ({ data }) => done(data)))"
EMBEDS = """new Promise((done) => {
  window.frame = Object.assign(document.createElement("iframe"), { src: "ADDRESS", onload: () => done() });
  document.body.append(frame);
})"""


async def test_the_worker_and_the_dialogs_of_a_frame_of_another_origin(desk: DeskOfTests, evil: Pages) -> None:
    evil.answers["/worker.js"] = (200, SCRIPT, WORKER)
    evil.answers["/blocked-1"] = page("Blocked")
    works = REGISTERS.replace("ADDRESS", "location.origin + '/blocked-1'")
    evil.answers["/frame"] = page("Frame", FRAME.replace("WORKS", works))
    await desk.loaded("victim")
    async with desk.cdp.page("/victim") as inside:

        async def ask(what: str) -> Any:
            await inside.evaluate(f"void ({ANSWER}, frame.contentWindow.postMessage('{what}', '*'))")
            return await inside.evaluate("told")

        await inside.evaluate(EMBEDS.replace("ADDRESS", f"{evil.address}/frame"))
        told = await ask("work")
        assert told["api"] == "undefined,undefined"
        assert [one for one in told["seen"] if not one.startswith(evil.address)] == []
        assert (told["loaded"], "/blocked-1" in evil.requests) == (False, False)
        # A dialog would show the address of the page, and not that of the frame.
        assert await ask("ask") == [False, None]


DIALOGS = {
    "files": "showOpenFilePicker().catch(() => 0)",
    "folder": "showDirectoryPicker().catch(() => 0)",
    "input": "Object.assign(document.createElement('input'), { type: 'file' }).click()",
    "colour": "Object.assign(document.createElement('input'), { type: 'color' }).showPicker()",
    "message": "alert('x')",
    "messages": "for (;;) { alert('x'); }",
    "question": "confirm('x')",
    "text": "prompt('x')",
}


@pytest.mark.parametrize("kind", DIALOGS)
async def test_a_window_that_is_closed_while_it_shows_a_dialog_does_not_end_the_others(
    desk: DeskOfTests, evil: Pages, kind: str
) -> None:
    await desk.loaded("victim")
    instance = await start_on_other_site(desk, evil)
    before = {one.id for one in desk.screen.windows()}
    async with desk.cdp.page("/evil") as inside:
        await inside.evaluate(f"void setTimeout(() => {{ {DIALOGS[kind]} }})")
        await desk.screen.until("a dialog", lambda: {one.id for one in desk.screen.windows()} - before or None)
        await desk.platform.services.instances.stop(instance)
    await desk.screen.until("no dialog", lambda: not {one.id for one in desk.screen.windows()} - before or None)
    assert not [one for one in desk.reported if isinstance(one, HostLost)]
    async with desk.cdp.page("/victim") as other:
        assert await other.evaluate("1") == 1
