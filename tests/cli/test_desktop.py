"""The commands that ask a running platform: a real one, over its gateway's socket."""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rostrum.base.errors import RostrumError
from rostrum.cli.desktop import _open, _register_addresses, _reported, _run, app
from rostrum.cli.platform_client import PlatformClient
from rostrum.desktop.errors import StartFailed
from rostrum.desktop.hosts import engines
from rostrum.desktop.key_file import Key, KeyFile
from rostrum.desktop.platform import Platform
from rostrum.installation.trial import TrialChannel
from rostrum.sources.load import Start
from tests.desktop.test_platform import APPS, Desk, program
from tests.end_to_end.processes import serving
from tests.gateway.sockets import talking

PATIENCE = 60


@dataclass(frozen=True)
class Done:
    """The exit code and output of a command."""

    code: int
    out: str
    said: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal:
    """A person at a terminal in the folder of a desk."""

    def __init__(self, root: Path) -> None:
        self.root = root

    async def __call__(self, *arguments: str) -> Done:
        return await asyncio.wait_for(asyncio.to_thread(self.run, *arguments), PATIENCE)

    def run(self, *arguments: str) -> Done:
        result = CliRunner().invoke(app, ["--config", str(self.root / "config"), *arguments], env={"NO_COLOR": "1"})
        if isinstance(result.exception, RostrumError):
            # The command itself turns these into messages and exit code 1.
            return Done(1, result.stdout, str(result.exception))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return Done(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "desk")
    desk.write_app("clock", title="Clock\x1b[31m", keywords=["time"])
    desk.write_app("hidden", hidden=True)
    desk.write_app("sleeper", title="Sleeper", **program("import time; time.sleep(600)"))
    desk.system(**APPS)
    return desk


@pytest.mark.long
async def test_apps_are_listed_started_and_stopped(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    async with desk.running() as platform:
        listed = await rostrum("apps")
        header, *rows = (line.split() for line in listed.out.splitlines())
        assert header == ["name", "title", "type", "store", "running"]
        assert [row[0] for row in rows] == ["clock", "sleeper"]
        assert "\x1b" not in listed.out
        assert [one["name"] for one in (await rostrum("apps", "--all", "--json")).json["applications"]] == [
            "clock",
            "hidden",
            "sleeper",
        ]

        started = await rostrum("start", "clock", "--context", '{"zone": "Oslo"}')
        instance = started.out.strip()
        assert (started.code, started.said) == (0, "started Clock[31m (window)\n")
        assert desk.host.windows[instance].context == {"zone": "Oslo"}
        sleeper = (await rostrum("start", "sleeper", "--json")).json
        assert sleeper["process"] == platform.services.instances.all[1].process
        shown = (await rostrum("apps", "--json")).json["applications"]
        assert {one["name"]: one["instances"] for one in shown} == {"clock": [instance], "sleeper": [sleeper["id"]]}
        assert {one["store"] for one in shown} == {platform.stores.apps.stores[0].name}
        assert [one["app"] for one in (await rostrum("instances", "--json")).json["instances"]] == ["clock", "sleeper"]
        assert str(sleeper["process"]) in (await rostrum("instances")).out

        stopped = await rostrum("stop", "sleeper", instance)
        assert (stopped.code, len(stopped.said.splitlines())) == (0, 2)
        assert platform.services.instances.all == ()
        gone = await rostrum("stop", instance)
        assert (gone.code, "is running. List them with" in gone.said) == (1, True)


@pytest.mark.rule("R-2.10-8")
async def test_commands_connect_when_apps_have_used_up_the_connections(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    desk.system(**APPS, gw={"configuration": {"port": 0, "limits": {"max_connections": 1}}})
    async with desk.running() as platform:
        key = KeyFile(desk.root / "UserData").read()
        sign_in = {"method": "secret", "login": key.user, "secret": key.secret}
        async with talking(platform.gateway) as first, talking(platform.gateway) as second:
            hello = {"type": "hello", "authentication": sign_in}
            assert (await first.ask(**hello, identity={"application": "one"}))["type"] == "welcome"
            refused = await second.ask(**hello, identity={"application": "two"})
            assert "1 connections, the most it may have" in refused["reason"]
            assert (await rostrum("apps", "--json")).code == 0
            assert (await rostrum("start", "clock")).code == 0
            assert (await rostrum("call", "Rostrum.Platform.Exit")).json == {"leaving": True}
            assert platform.shutdown.requested.is_set()


@pytest.mark.long
async def test_layouts_are_saved_restored_renamed_moved_and_removed(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    file = desk.root / "layouts.json"
    async with desk.running() as platform:
        assert (await rostrum("layouts")).said == "there are no layouts\n"
        assert "no apps are running" in (await rostrum("layout", "save", "Empty")).said
        await rostrum("start", "clock")
        saved = await rostrum("layout", "save", "Morning", "--context", '{"a": 1}')
        assert (saved.code, saved.said) == (0, "saved Morning: clock\n")
        assert (await rostrum("layout", "save", "Noon", "--json")).json["layout"]["name"] == "Noon"
        assert (await rostrum("layout", "default", "Noon")).code == 0
        listed = (await rostrum("layouts", "--json", "--type", "Global")).json["layouts"]
        assert {one["name"]: one.get("default") for one in listed} == {"Empty": None, "Morning": None, "Noon": True}
        assert ["Noon", "Global", "default"] in [line.split() for line in (await rostrum("layouts")).out.splitlines()]

        await rostrum("stop", "clock")
        assert (await rostrum("layout", "restore", "Morning")).said == "restored Morning\n"
        assert [one.app for one in platform.services.instances.all] == ["clock"]
        assert (await rostrum("layout", "hibernate", "Night")).said == "saved Night, and closed its apps\n"
        assert platform.services.instances.all == ()
        assert "no apps are running" in (await rostrum("layout", "hibernate", "Night")).said
        desk.write_app("stays", closeOnHibernate=False)
        await platform.services.control.refresh()
        await rostrum("start", "stays")
        kept = (await rostrum("layout", "hibernate", "Night")).said
        assert kept == "saved Night; still open: stays (system apps, or closeOnHibernate is false)\n"
        await rostrum("start", "clock")
        night = await rostrum("layout", "hibernate", "Night", "--json")
        assert night.json == {"name": "Night", "closed": ["clock"], "open": ["stays"]}
        await rostrum("start", "clock")
        assert (
            "saved Night, and closed clock; still open: stays" in (await rostrum("layout", "hibernate", "Night")).said
        )
        await rostrum("stop", "stays")
        assert (await rostrum("layout", "rename", "Night", "Evening")).code == 0
        written = await rostrum("layout", "export", "Evening", "Morning", "--output", str(file))
        assert (written.code, "wrote 2 layouts" in written.said) == (0, True)
        assert (await rostrum("layout", "export", "--output", str(file))).code == 1
        assert (await rostrum("layout", "export", "Evening")).json["layouts"][0]["name"] == "Evening"
        assert (await rostrum("layout", "remove", "Evening", "--json")).json == {"removed": True}
        assert "imported 1 of 2" in (await rostrum("layout", "import", str(file), "--keep")).said
        assert "imported 2 of 2" in (await rostrum("layout", "import", str(file))).said
        file.write_text(json.dumps(json.loads(file.read_text())["layouts"][0]))
        assert (await rostrum("layout", "import", str(file), "--json")).json == {"imported": 1}
        assert "was cleared" in (await rostrum("layout", "default")).said

        ghost = {"type": "window", "application": "ghost", "componentType": "application", "state": {}}
        file.write_text(json.dumps([{"name": "Haunted", "type": "Global", "components": [ghost]}]))
        assert (await rostrum("layout", "import", str(file))).code == 0
        haunted = await rostrum("layout", "restore", "Haunted")
        assert (haunted.code, haunted.said.count("warning: "), "ghost" in haunted.said) == (0, 1, True)
        for arguments, words in (
            (("restore", "Mornin"), "did you mean 'Morning'?"),
            (("rename", "Mornin", "x"), "did you mean 'Morning'?"),
            (("remove", "Mornin"), "there is no Global layout 'Mornin'"),
            (("export", "Mornin"), "there is no layout 'Mornin'"),
            (("default", "Mornin"), "did you mean 'Morning'?"),
        ):
            refused = await rostrum("layout", *arguments)
            assert (refused.code, refused.out) == (1, "")
            assert words in refused.said
        for content in ("{", "7", '{"layouts": 7}'):
            file.write_text(content)
            assert (await rostrum("layout", "import", str(file))).code == 2
        file.unlink()
        assert (await rostrum("layout", "import", str(file))).code == 2


@pytest.mark.long
async def test_search_notifications_and_every_other_method(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    async with desk.running() as platform:
        assert "clock" in (await rostrum("search", "time")).out
        assert (await rostrum("search", "time", "--type", "layout", "--json")).json == {"results": []}
        assert (await rostrum("search", "nowhere")).said == "no results\n"
        raised = await rostrum("notify", "Ring", "--body", "It is late", "--severity", "High")
        (kept,) = platform.services.notifications.all
        assert (raised.out.strip(), kept.title, kept.body, kept.severity) == (kept.id, "Ring", "It is late", "High")
        assert "severity must be one of" in (await rostrum("notify", "Ring", "--severity", "Loud")).said

        other = await platform.gateway.local_peer("calculator", "ann")
        await other.methods.register("Calc.Add", lambda asked: asked.arguments["a"] + asked.arguments["b"])
        offered = (await rostrum("methods", "--json")).json["methods"]
        by_name = {one["name"]: (one["application"], one["stream"]) for one in offered}
        assert by_name["Calc.Add"] == ("calculator", False)
        assert by_name["Rostrum.Platform.Changes"] == ("Rostrum", True)
        assert "calculator" in (await rostrum("methods")).out
        assert (await rostrum("call", "Calc.Add", '{"a": 1, "b": 2}')).json == {"result": 3}
        (desk.root / "numbers.json").write_text('{"a": 3, "b": 4}')
        assert (await rostrum("call", "Calc.Add", f"@{desk.root / 'numbers.json'}")).json == {"result": 7}
        assert (await rostrum("call", "Rostrum.Platform.Status")).json["user"] == "ann"


@pytest.mark.long
async def test_rejections_state_the_reason(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    async with desk.running() as platform:
        await platform.running_gateway.peer.methods.register("Demo.Never", lambda _: never)
        for code, words, *arguments in (
            (1, "there is no app 'clok'; did you mean 'clock'?", "start", "clok"),
            (1, "There is no method Rostrum.Apps.Lst. Did you mean Rostrum.Apps.List?", "call", "Rostrum.Apps.Lst"),
            (1, "-m rostrum desktop methods --config ", "call", "Nowhere"),
            (1, "name must be text", "call", "Rostrum.Apps.Start"),
            (1, "did not answer within 0.3 seconds", "call", "Demo.Never", "--timeout", "0.3"),
            (2, "--context must be JSON", "start", "clock", "--context", "{"),
            (2, "--context must be a JSON object", "start", "clock", "--context", "[1]"),
            (2, "nothing cannot be read", "start", "clock", "--context", "@nothing"),
            (2, "Did you mean 'apps'?", "aps"),
            (2, "Missing argument", "stop"),
        ):
            refused = await rostrum(*arguments)
            assert (refused.code, refused.out) == (code, ""), arguments
            assert words in refused.said
    never.cancel()


@pytest.mark.long
async def test_shutdown_leaves_unless_an_app_prevents_it(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    async with desk.running() as platform:
        ending = asyncio.create_task(ended(platform))
        instance = (await rostrum("start", "clock")).out.strip()
        app = await platform.gateway.local_peer("clock", platform.user, instance=instance)
        hold = {"what": "shutdown", "reason": "unsaved"}
        outside = await rostrum("call", "Rostrum.Instances.Prevent", json.dumps({**hold, "instance": instance}))
        assert (outside.code, "only a running app that the platform has started" in outside.said) == (1, True)
        await app.methods.call("Rostrum.Instances.Prevent", hold)
        stays = await rostrum("shutdown")
        assert (stays.code, "use --force" in stays.said) == (1, True)
        assert not platform.shutdown.requested.is_set()
        assert "has ended" in (await rostrum("shutdown", "--force")).said
        await asyncio.wait_for(ending, PATIENCE)
    for command in (("apps",), ("shutdown",), ("layout", "save", "x")):
        none = await rostrum(*command)
        assert (none.code, "The platform is not running. Start it with" in none.said) == (1, True)


@pytest.mark.long
def test_a_platform_of_its_own_process_is_restarted_and_ended(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    with serving("desktop", "--headless", cwd=desk.root, environment={"USER": "ann"}) as process:
        process.line_with("ready:")
        first = KeyFile(desk.root / "UserData").read()
        assert rostrum.run("shutdown", "--restart", "--json").json == {"leaving": True, "restart": True}
        process.line_with("ready:")
        assert KeyFile(desk.root / "UserData").read().secret != first.secret
        assert rostrum.run("apps").code == 0
        assert rostrum.run("shutdown").said == "the platform has ended\n"
        assert process.process.wait(PATIENCE) == 0


async def ended(platform: Platform) -> None:
    await platform.shutdown.requested.wait()
    await platform.stop()


@pytest.mark.long
async def test_the_status_is_asked_as_before_and_which_platform_is_said(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    assert ((await rostrum("status")).code, (await rostrum("--json", "status")).json) == (1, {"running": False})
    desk.system(**APPS, env="DEMO", region="EMEA", allowMultipleInstances="never")
    async with desk.running() as platform:
        told = await rostrum("status")
        assert (told.code, "environment: DEMO-EMEA" in told.out) == (0, True)
        for arguments in (("status", "--json"), ("--json", "status")):
            assert (await rostrum(*arguments)).json.items() >= platform.status().items()
        other = await rostrum("apps", "--region", "APAC")
        assert (other.code, "the platform runs for DEMO-EMEA, not for DEMO-APAC" in other.said) == (1, True)
        assert (await rostrum("--region", "APAC", "apps", "--region", "EMEA")).code == 0
        key = KeyFile(platform.local.early.folders.user_data)
        known = key.read()
        for address, words in ((known.address, "is wrong"), ("ws://127.0.0.1:1", "cannot be reached")):
            key.write(Key(address=address, user="ann", secret="of the last run"))
            refused = await rostrum("apps")
            assert (refused.code, words in refused.said) == (1, True), refused
        key.remove()
        assert "still starting" in (await rostrum("apps")).said


@pytest.fixture
def _logging_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start sets up logging for its process, which here is that of all tests."""
    monkeypatch.setattr("rostrum.base.log.set_up_logging", lambda *_: None)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--headless", "--", "config={base}", "configOverrides"),
        ("config={base}", "--headless"),
        ("--env", "status", "--headless", "configOverrides"),
        ("--headless", "--", "configOverrides", "config0={base}"),
    ],
)
@pytest.mark.usefixtures("_logging_as_it_is")
def test_what_follows_the_dashes_is_for_the_start_and_no_command(desk: Desk, arguments: tuple[str, ...]) -> None:
    desk.system(server={"enabled": True, "url": "not an address"})
    base = desk.root / "config" / "system.json"

    done = Terminal(desk.root).run(*(one.format(base=base) for one in arguments))

    assert done.code == 1
    assert "No such command" not in done.said
    assert "sign-in" in done.said


@pytest.mark.usefixtures("_logging_as_it_is")
def test_the_start_still_refuses_what_it_did(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    for arguments, code, words in (
        (("--headless", "--log-level", "loud"), 2, "--log-level is"),
        (("--headless", "--", "nonsense=1"), 1, "is not one of config=<file>"),
        (("--headless", "--", "config=gone.json"), 2, "gone.json does not exist"),
    ):
        done = rostrum.run(*arguments)
        assert (done.code, words in done.said) == (code, True), done


@pytest.mark.usefixtures("_logging_as_it_is")
def test_windows_are_refused_without_their_extra_and_as_root(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROSTRUM_WINDOWS_TEST", raising=False)
    monkeypatch.setattr(engines, "installed_version", lambda: None)
    done = Terminal(desk.root).run()
    missing = "Windows need the browser engine, which is not installed. To install it, run `make "
    assert (done.code, missing in done.said) == (2, True)
    monkeypatch.setattr(engines, "installed_version", lambda: "6.8.0.2")
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    done = Terminal(desk.root).run()
    assert (done.code, "Windows cannot be shown as root." in done.said) == (2, True)


def test_without_the_desktops_libraries_the_extra_is_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picows", None)

    for arguments in (("apps",), ("--headless",)):
        done = Terminal(desk.root).run(*arguments)

        missing = "picows, which the desktop needs, is not installed; to install the extra desktop, run `make "
        assert (done.code, missing in done.said) == (1, True)


async def test_a_version_on_trial_reports_prompts_and_a_second_start_reports_nothing(desk: Desk) -> None:
    async def ask(_: str) -> None:
        return None

    reader, writer = os.pipe()
    channel = TrialChannel(writer)
    async with desk.running():
        with pytest.raises(StartFailed, match="already runs"):
            await _run(Start(root=desk.root), ask, None, PlatformClient(), channel)
    await _reported(ask, channel)("user?")
    os.close(writer)
    with os.fdopen(reader) as reports:
        assert reports.read().split() == ["inconclusive", "waiting", "starting"]


HANDLER = {"protocol": "myapp", "apps": ["clock"]}


async def test_an_address_brings_the_running_platform_to_the_front_and_starts_an_allowed_app(desk: Desk) -> None:
    rostrum = Terminal(desk.root)
    desk.system(**APPS, protocolHandler=HANDLER)
    async with desk.running() as platform:
        assert (await rostrum("--address", "myapp:")).code == 0
        assert not platform.services.instances.all
        assert (await rostrum("--address", "myapp://app/clock")).code == 0
        assert [one.app for one in platform.services.instances.all] == ["clock"]
        for address in (
            "myapp://app/sleeper",
            "myapp://app/clock?x=1",
            "--headless",
            "config=/tmp/evil",
            "myapp://x y",
        ):
            refused = await rostrum("--address", address)
            assert (refused.code, refused.out) == (2, "")
        # Without its option, an address is neither a command nor a configuration.
        for words in (["myapp://app/clock"], ["myapp://?config=/tmp/evil"], ["--", "myapp://app/clock"]):
            assert (await rostrum(*words)).code != 0
        assert [one.app for one in platform.services.instances.all] == ["clock"]


async def test_a_platform_that_an_address_starts_starts_its_app_and_registers_the_schemes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    desk.system(**APPS, protocolHandler=HANDLER)
    folder = tmp_path / "data" / "applications"
    async with desk.running() as platform:
        await _open(platform, "clock")
        await _open(platform, "no such app")
        assert [one.app for one in platform.services.instances.all] == ["clock"]
        _register_addresses(platform)
        if sys.platform == "linux":
            (entry,) = folder.iterdir()
            assert '"desktop" --address %u' in entry.read_text()
    desk.system(**APPS)
    async with desk.running() as platform:
        _register_addresses(platform)
        assert list(folder.glob("*")) == []
