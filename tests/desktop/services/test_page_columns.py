"""The same attacks by the page of each kind of app, and by a program: the columns of the table in SECURITY.md."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from rostrum.desktop.key_file import KeyFile
from rostrum.desktop.platform import Platform
from rostrum.gateway.options import Limits
from tests.desktop.services.test_app_rights import WINDOW_COMMANDS, execute, reason_of
from tests.desktop.test_identities import Program, bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk
from tests.sources.server import running, serving

__all__ = ["desk"]

KINDS = ("trusted folder", "untrusted store", "in-memory store", "program")
HOSTILE = {"name": "hostile", "type": "window", "details": {"url": "https://hostile.example"}}
SETTINGS = {
    "appRights": {"devTools": ["guard"]},
    "interception": {"enabled": True, "applications": ["guard"]},
}
MIB = 2**20


@dataclass(frozen=True)
class Scene:
    """A hostile app or program beside the page of another app."""

    kind: str
    desk: Desk
    platform: Platform
    hostile: Program
    victim: Program
    other: str

    @property
    def is_page(self) -> bool:
        return self.kind != "program"


async def runs_no_programs(scene: Scene) -> None:
    definition = {"name": "pwn", "type": "exe", "details": {"command": "/bin/true"}}
    await scene.hostile.refused("Apps.Add", definitions=[definition])


async def defines_nothing_that_reaches_further(scene: Scene) -> None:
    details = {"url": "https://page.example", "preloadScripts": ["https://evil.example/x.js"]}
    await scene.hostile.refused("Apps.Add", definitions=[{"name": "reaches", "type": "window", "details": details}])


async def changes_no_definition_of_another_app(scene: Scene) -> None:
    evil = {"name": "shared", "type": "window", "details": {"url": "https://evil.example"}}
    await scene.hostile.refused("Apps.Add", definitions=[evil])
    await scene.hostile.asked("Apps.Remove", names=["shared"])
    definition = scene.platform.services.apps.definition("shared")
    assert definition is not None
    assert definition["details"]["url"] == "https://victim.example/shared"


async def defines_no_app_with_rights(scene: Scene) -> None:
    guard = {"name": "guard", "type": "window", "details": {"url": "https://evil.example"}}
    await scene.hostile.refused("Apps.Add", definitions=[guard])


async def shows_no_files(scene: Scene) -> None:
    for url in ("/etc/passwd", "//host/share", "file:///etc/passwd", "\\\\host\\share"):
        answer = await execute(scene.hostile, "T42.Wnd.Create", name="file", url=url, options={})
        assert "must" in str(answer), answer


async def registers_no_typed_keys(scene: Scene) -> None:
    name = "T42.Hotkeys.Invoke"
    await scene.hostile.ask(domain="agm", type="register", methods=[{"id": name, "name": name, "flags": {}}])
    for key in ("a", "Enter", "ctrl+c", "alt+f4"):
        answer = await execute(scene.hostile, "T42.Hotkeys.Command", command="register", hotkey=key)
        assert answer["type"] == "error", answer
    assert not scene.platform.services.hotkeys.all
    answer = await execute(scene.hostile, "T42.Hotkeys.Command", command="register", hotkey="ctrl+shift+f7")
    assert answer["type"] == "result", answer


async def needs_a_right_for_windows_of_others(scene: Scene) -> None:
    for command, (right, _) in WINDOW_COMMANDS.items():
        assert f"appRights.{right}" in await reason_of(scene.hostile, scene.other, command), command


async def moves_windows_of_others(scene: Scene) -> None:
    options = {"bounds": {"left": 11, "top": 12, "width": 300, "height": 200}}
    moved = await execute(scene.hostile, "T42.Wnd.Execute", windowId=scene.other, command="moveResize", options=options)
    assert moved["type"] == "result", moved


async def clicks_on_no_notification_of_others(scene: Scene) -> None:
    raised = await scene.victim.call("Notifications.Raise", title="Transfer?")
    assert "appRights.notificationClicks" in await scene.hostile.refused("Notifications.Click", id=raised["id"])


async def lists_notifications_and_preferences_by_default(scene: Scene) -> None:
    await scene.victim.call("Preferences.Set", app="victim", data={"a": 1})
    assert (await scene.hostile.call("Notifications.List"))["notifications"] != []
    assert (await scene.hostile.call("Preferences.Get", app="victim"))["data"] == {"a": 1}


async def raises_a_limited_number_of_notifications(scene: Scene) -> None:
    # The clock of the budget stands still, because the budget grows by two a second.
    notifications = scene.platform.services.notifications
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notifications, "_monotonic", lambda: 0.0)
        answers = [await scene.hostile.asked("Notifications.Raise", title="News") for _ in range(300)]
    assert [one["type"] for one in answers] == ["result"] * 120 + ["error"] * 180
    assert len(notifications.all) == 120
    assert (await scene.victim.asked("Notifications.Raise", title="Mine"))["type"] == "result"


async def shows_alerts_under_its_own_name(scene: Scene) -> None:
    shown = await scene.hostile.call("Alerts.Show", text="Enter your \u202edrowssap")
    name = "hostile" if scene.is_page else "A program"
    assert scene.desk.host.windows[shown["id"]].details["text"] == f"{name}: Enter your drowssap"


async def stores_limited_preferences(scene: Scene) -> None:
    large = "x" * (3 * MIB)
    answers = [await scene.hostile.asked("Preferences.Set", app=f"name {one}", data={"a": large}) for one in range(12)]
    assert answers[-1]["type"] == "error"


async def sees_no_passwords_in_addresses(scene: Scene) -> None:
    answers = [await scene.hostile.call("Apps.List"), await execute(scene.hostile, "T42.ACS.GetApplications")]
    assert "https://shop.example/" in str(answers[1])
    assert "secret" not in str(answers)


async def stores_limited_contexts(scene: Scene) -> None:
    stored = 0
    for number in range(40):
        data = {"text": "x" * MIB}
        answer = await scene.hostile.ask(type="create-context", name=f"flood-{number}", data=data, lifetime="retained")
        if answer["type"] == "error":
            break
        stored += MIB
    assert 0 < stored <= Limits().stored_bytes // 2
    own = await scene.victim.ask(type="create-context", name="own", data={"a": 1}, lifetime="retained")
    assert own["type"] == "context-created"


async def intercepts_nothing(scene: Scene) -> None:
    await scene.hostile.offer_guard()
    for area, operation in (("Apps", "Start"), ("Intents", "Raise"), ("Intents", "FilterHandlers")):
        asked = {"area": area, "operation": operation, "method": "Guard"}
        await scene.hostile.refused("Interception.Register", **asked)


Attack = Callable[[Scene], Awaitable[None]]
ATTACKS: tuple[Attack, ...] = (
    runs_no_programs,
    defines_nothing_that_reaches_further,
    changes_no_definition_of_another_app,
    defines_no_app_with_rights,
    shows_no_files,
    registers_no_typed_keys,
    needs_a_right_for_windows_of_others,
    moves_windows_of_others,
    clicks_on_no_notification_of_others,
    lists_notifications_and_preferences_by_default,
    shows_alerts_under_its_own_name,
    sees_no_passwords_in_addresses,
    intercepts_nothing,
)
FLOODS: tuple[Attack, ...] = (
    raises_a_limited_number_of_notifications,
    stores_limited_preferences,
    stores_limited_contexts,
)


@asynccontextmanager
async def scene_of(desk: Desk, kind: str) -> AsyncIterator[Scene]:
    for name, url in (("victim", "https://victim.example"), ("shop", "https://ann:secret@shop.example/")):
        desk.write_app(name, type="window", details={"url": url})
    if kind == "trusted folder":
        desk.write_app("hostile", type="window", details=HOSTILE["details"])
    async with running(serving({"applications": [HOSTILE] if kind == "untrusted store" else []})) as store:
        remote = {"type": "rest", "details": {"url": f"http://127.0.0.1:{store.port}/apps"}}
        desk.system(appStores=[*APPS["appStores"], remote, {"type": "in-memory"}], **SETTINGS)
        async with desk.running() as platform:
            instances, tokens = platform.services.instances, platform.services.tokens
            other = (await instances.start("victim")).id
            address = platform.gateway.address
            async with signed_in(address, bearing(tokens.token(other))) as victim:
                shared = {"name": "shared", "type": "window", "details": {"url": "https://victim.example/shared"}}
                await victim.call("Apps.Add", definitions=[shared])
                if kind == "in-memory store":
                    await victim.call("Apps.Add", definitions=[HOSTILE])
                key = KeyFile(desk.root / "UserData").read()
                authentication = {"method": "secret", "login": key.user, "secret": key.secret}
                if kind != "program":
                    authentication = bearing(tokens.token((await instances.start("hostile")).id))
                async with signed_in(address, authentication) as hostile:
                    yield Scene(kind, desk, platform, hostile, victim, other)


async def failures(desk: Desk, kind: str, attacks: tuple[Attack, ...]) -> dict[str, str]:
    failed: dict[str, str] = {}
    async with scene_of(desk, kind) as scene:
        for attack in attacks:
            try:
                await attack(scene)
            except AssertionError as error:
                failed[attack.__name__] = str(error)[:2000]
    return failed


@pytest.mark.parametrize(
    "kind", [KINDS[0], KINDS[1], *(pytest.param(one, marks=pytest.mark.long) for one in KINDS[2:])]
)
async def test_a_page_and_a_program_reach_no_further_whatever_they_come_from(desk: Desk, kind: str) -> None:
    assert await failures(desk, kind, ATTACKS) == {}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
async def test_a_page_and_a_program_fill_only_their_share_whatever_they_come_from(desk: Desk, kind: str) -> None:
    assert await failures(desk, kind, FLOODS) == {}
