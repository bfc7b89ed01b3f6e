"""A desktop that has run before and finds the manager down: it starts from its copies, and catches up."""

import asyncio
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock, SystemClock
from rostrum.desktop.errors import StartFailed
from rostrum.desktop.login import Login
from tests.desktop.test_platform import Desk, until
from tests.ports import free_port
from tests.real_manager import USER, manager
from tests.sources.server import Request, Server, response

ANN = Login(*USER)
BOB = ("bob", "the password of bob")
DAY = 24 * 3600.0


@dataclass
class Away:
    """A manager that is down, and a desktop that has worked with it as ann."""

    manager: Path
    port: int
    desk: Path
    system: dict[str, Any]

    def copy_desk(self, root: Path) -> Desk:
        """The desktop as it was left; changes of one test concern no other."""
        shutil.copytree(self.desk, root)
        copied = Desk(root)
        copied.system(**self.system)
        return copied

    def start_manager(self) -> Any:
        return manager(self.manager, port=self.port)


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Away:
    folder = tmp_path_factory.mktemp("manager")
    desk = Desk(tmp_path_factory.mktemp("desk"))
    # While the manager is down, no other server may get its port.
    port = free_port()
    with manager(folder, port=port) as server:
        server.add_app("clock")
        server.admin("POST", "/admin/users", {"id": BOB[0], "password": BOB[1]}, 201)
        body = {"file": "system.json", "contents": {"build": "for ann only"}, "user": USER[0]}
        server.admin("POST", "/admin/configs", body, 201)
        source = {"type": "rest", "source": f"{server.address}/systemConfig/get", "required": True}
        system = {
            "appStores": [],
            "server": {"enabled": True, "url": server.address},
            "systemConfigurations": {"sources": [source]},
        }
        desk.system(**system)
        asyncio.run(work(desk))
    return Away(folder, port, desk.root, system)


async def work(desk: Desk) -> None:
    async with desk.running() as platform:
        await platform.services.instances.start("clock")
        await platform.services.layouts.save("Morning")
        await platform.stores.preferences.set("clock", {"zone": "Oslo"})


@pytest.fixture
def desk(away: Away, tmp_path: Path) -> Desk:
    return away.copy_desk(tmp_path / "desk")


def names(platform: Any) -> set[str]:
    return {key.name for key in platform.stores.layouts.layouts()}


@pytest.mark.long
@pytest.mark.rule("R-2.8-20", "T-D-6")
async def test_it_starts_from_its_copies_reports_that_it_is_offline_and_catches_up(
    desk: Desk, away: Away, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # At the second desktop nobody can be asked before the manager is back.
    unattended = away.copy_desk(tmp_path / "unattended")
    unattended.logins = [None, ANN]
    page = {"authController": "sso", "options": {"url": f"{away.system['server']['url']}/admin/gd"}}
    unattended.system(**away.system, ssoAuth=page)
    async with desk.running() as platform, unattended.running() as second:
        assert (second.user, second.status()["offline"]) == (USER[0], True)
        # The sign-in page comes from the manager, so it is shown when the manager is back.
        assert "login" not in [what for what, _ in unattended.host.calls]
        status = platform.status()
        assert (status["ready"], status["offline"], status["connected"]) == (True, True, False)
        assert (status["user"], status["build"], [*platform.stores.apps.apps]) == (USER[0], "for ann only", ["clock"])
        assert names(platform) == {"Morning"}
        assert await platform.stores.preferences.get("clock") == {"zone": "Oslo"}
        assert "Offline: " in status["problems"][0]
        assert {step["name"]: step["state"] for step in status["steps"]}["sign-in"] == "degraded"
        assert desk.host.tray is not None
        assert desk.host.tray[0].id == "offline"
        assert "cannot be reached" in caplog.text
        await platform.services.layouts.save("Made offline")
        with away.start_manager() as server:
            await asyncio.to_thread(server.add_app, "news")
            await until(lambda: platform.status()["connected"] and "news" in platform.stores.apps.apps)
            await until(lambda: not platform.stores.layouts.waiting)  # type: ignore[attr-defined]
            await until(lambda: platform.status()["problems"] == [])
            assert (platform.status()["offline"], bool(platform.status()["session"])) == (False, True)
            assert desk.host.tray[0].id != "offline"
            stored = await asyncio.to_thread(server.admin, "GET", "/admin/layouts")
            assert "Made offline" in json.dumps(stored)
            await until(lambda: second.status()["connected"])
            assert [what for what, _ in unattended.host.calls if "login" in what] == ["login", "no login"]
            await platform.stop()
            await second.stop()


def damage_nothing(_: Path) -> None:
    """Leave the copies as they are."""


def record(root: Path) -> Path:
    (path,) = (root / "UserData" / "signIns").iterdir()
    return path


def open_to_others(root: Path) -> None:
    record(root).chmod(0o644)


def link(root: Path) -> None:
    path = record(root)
    path.rename(root / "elsewhere")
    path.symlink_to(root / "elsewhere")


def bind_to_another_system_user(root: Path) -> None:
    path = record(root)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"osUser": "somebody else"}))


def lose_the_configuration(root: Path) -> None:
    shutil.rmtree(root / "UserData" / "configOverrides")


def open_the_configuration_to_others(root: Path) -> None:
    for path in (root / "UserData" / "configOverrides" / ".sources").iterdir():
        path.chmod(0o666)


def give_the_configuration_to_another_account(root: Path) -> None:
    for path in (root / "UserData" / "configOverrides" / ".sources").iterdir():
        path.write_text(path.read_text().replace('"account":"ann"', '"account":"bob"'))


def open_the_apps_to_others(root: Path) -> None:
    for path in (root / "Cache" / "appStores").iterdir():
        path.chmod(0o644)


def link_the_apps(root: Path) -> None:
    for path in (root / "Cache" / "appStores").iterdir():
        path.rename(root / "elsewhere")
        path.symlink_to(root / "elsewhere")


@pytest.mark.parametrize(
    ("login", "days", "damage", "reason"),
    [
        (Login(*BOB), 0, damage_nothing, "no earlier sign-in on this machine has this user name and password"),
        (Login(USER[0], "wrong"), 0, damage_nothing, "no earlier sign-in on this machine has this user name"),
        (ANN, 8, damage_nothing, r"accepted ann last on .*7 days \(offlineMaxAgeDays\)"),
        (None, 8, damage_nothing, r"7 days \(offlineMaxAgeDays\)"),
        (ANN, -2, damage_nothing, "offlineMaxAgeDays"),
        (ANN, 0, open_to_others, "no local copies of an earlier sign-in"),
        (ANN, 0, link, "no local copies of an earlier sign-in"),
        (ANN, 0, bind_to_another_system_user, "no local copies of an earlier sign-in"),
        (ANN, 0, lose_the_configuration, "a required configuration source cannot be retrieved"),
        (ANN, 0, open_the_configuration_to_others, "a required configuration source cannot be retrieved"),
        (ANN, 0, give_the_configuration_to_another_account, "a required configuration source cannot be retrieved"),
        (ANN, 0, open_the_apps_to_others, "a required app store cannot be retrieved"),
        (ANN, 0, link_the_apps, "a required app store cannot be retrieved"),
    ],
)
async def test_copies_of_others_old_ones_and_those_that_others_could_have_changed_are_not_used(
    desk: Desk, login: Login | None, days: float, damage: Any, reason: str
) -> None:
    clock = SettableClock(SystemClock().now())
    clock.jump(days * DAY)
    damage(desk.root)
    desk.logins = [login]
    with pytest.raises(StartFailed, match=reason):
        await desk.platform(clock=clock).start()


@pytest.mark.rule("R-2.8-2")
@pytest.mark.parametrize("changed", [{"restUseCache": False}, {"offlineMaxAgeDays": 0}])
async def test_a_start_that_may_not_use_copies_does_not(desk: Desk, away: Away, changed: dict[str, Any]) -> None:
    (source,) = away.system["systemConfigurations"]["sources"]
    known = changed.keys() & {"restUseCache"}
    sources = [{**source, **{name: changed[name] for name in known}}]
    members = {name: value for name, value in changed.items() if name not in known}
    desk.system(**{**away.system, **members, "systemConfigurations": {"sources": sources}})
    with pytest.raises(StartFailed, match=r"a required configuration source|no local copies of an earlier sign-in"):
        await desk.platform().start()


def test_copies_are_for_their_owner_only_and_hold_no_password(away: Away) -> None:
    folders = ["UserData/configOverrides", "UserData/layouts", "UserData/prefs", "UserData/signIns", "Cache/appStores"]
    files = [path for folder in folders for path in (away.desk / folder).rglob("*") if path.is_file()]
    assert {path.relative_to(away.desk).parts[1] for path in files} == {folder.split("/")[1] for folder in folders}
    assert [path for path in files if path.stat().st_mode & 0o077] == []
    kept = [path.read_text() for path in away.desk.rglob("*") if path.is_file()]
    assert not [text for text in kept if USER[1] in text]


async def test_copies_are_not_used_once_the_manager_has_refused_the_account(desk: Desk, away: Away) -> None:
    async def refuse(request: Request) -> bytes:
        return response(200, b"{}") if request.path.endswith("/health/live") else response(401, b"{}")

    async with desk.running() as platform:
        listener = await asyncio.start_server(Server(refuse).handle, "127.0.0.1", away.port)
        async with listener:
            await asyncio.wait_for(platform.shutdown.requested.wait(), 60)
    assert platform.shutdown.failure is not None
    assert "does not accept the user name and password" in platform.shutdown.failure
    with pytest.raises(StartFailed, match="no local copies of an earlier sign-in"):
        await desk.platform().start()


@pytest.mark.long
@pytest.mark.rule("R-2.8-20")
async def test_the_configuration_of_one_account_is_never_that_of_another(desk: Desk, away: Away) -> None:
    with away.start_manager():
        desk.logins = [Login(*BOB)]
        async with desk.running() as platform:
            assert (platform.user, platform.settings.build) == (BOB[0], None)
            assert names(platform) == set()
    for login, build in ((Login(*BOB), None), (ANN, "for ann only")):
        desk.logins = [login]
        async with desk.running() as platform:
            assert (platform.user, platform.settings.build) == (login.user, build)
            assert names(platform) == ({"Morning"} if build else set())


async def test_layouts_and_preferences_that_others_could_have_changed_are_left_out_and_reported(desk: Desk) -> None:
    copies = [path for kind in ("layouts", "prefs") for path in (desk.root / "UserData" / kind).rglob("*.json")]
    for path in copies:
        path.chmod(0o666)
    async with desk.running() as platform:
        assert names(platform) == set()
        assert await platform.stores.preferences.get("clock") == {}
        reported = [one for one in platform.status()["problems"] if "other users of this machine can" in one]
        assert len(reported) == len([path for path in copies if path.name != "outbox.json"])
    assert [path for path in copies if path.exists()] == []
