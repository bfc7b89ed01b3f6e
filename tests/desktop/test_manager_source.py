"""The manager as a source of configuration: signed in first, and credentials for nobody else."""

import asyncio
import base64
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from rostrum.desktop.errors import StartFailed
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from tests.desktop.test_platform import Desk, desk
from tests.end_to_end.processes import PATIENCE, ROSTRUM, clean_environment, run
from tests.end_to_end.processes import serving as process
from tests.real_manager import USER, Manager, manager
from tests.sources.server import ANSWER, Request, Server, response, running

__all__ = ["desk"]

PASSWORD = f"{USER[0]}:{USER[1]}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("manager")) as started:
        body = {"file": "system.json", "contents": {"build": "for ann only"}, "user": USER[0]}
        started.admin("POST", "/admin/configs", body, 201)
        yield started


def with_source(server: Manager, *others: Any, **members: Any) -> dict[str, Any]:
    """What the guide says: the manager, and its address as a source."""
    source = {"type": "rest", "source": f"{server.address}/systemConfig/get", "required": True}
    return {
        "appStores": [],
        "server": {"enabled": True, "url": server.address},
        "systemConfigurations": {"sources": [source, *others]},
        **members,
    }


def protected(*users: str) -> Any:
    """A source that answers only these users."""
    accepted = [f"Basic {base64.b64encode(user.encode()).decode()}" for user in users]

    async def behave(request: Request) -> bytes:
        if request.headers.get("authorization") not in accepted:
            return response(401, b"{}", 'WWW-Authenticate: Basic realm="x"')
        return response(200, b'{"system.json": {"contents": {"uiVersion": "protected"}}}')

    return behave


def origin(source: Server) -> str:
    return f"http://127.0.0.1:{source.port}"


@pytest.mark.long
@pytest.mark.rule("R-2.8-11", "E-4-3", "R-2.4-4")
@pytest.mark.rule("R-5-7")
async def test_the_configuration_of_the_user_comes_from_the_manager_after_one_sign_in_on_its_page(
    desk: Desk, server: Manager
) -> None:
    asked: list[str] = []
    page = {"authController": "sso", "options": {"url": f"{server.address}/admin/gd"}}
    desk.system(**with_source(server, ssoAuth=page))

    async def ask(message: str) -> Login | None:
        asked.append(message)
        assert desk.host.calls[-1][0] == "login"
        return Login(*USER)

    platform = Platform(Start(root=desk.root, variables={"USER": "os user"}), desk.host, ask)
    await platform.start()
    try:
        assert (platform.settings.build, platform.user, len(asked)) == ("for ann only", USER[0], 1)
        assert platform.status()["session"]
        shown = [what for what, _ in desk.host.calls if what in ("login", "no login")]
        assert shown == ["login", "no login"]
        await platform.services.control.refresh()
        assert platform.status()["problems"] == []
    finally:
        await platform.stop()


@pytest.mark.long
async def test_a_file_of_credentials_is_enough_and_is_shown_to_no_other_source(desk: Desk, server: Manager) -> None:
    async with running(protected(PASSWORD)) as other:
        desk.system(**with_source(server, {"type": "rest", "source": other.url}))
        (desk.root / "login").write_text(PASSWORD)
        with process("desktop", "--headless", "--credentials", "login", cwd=desk.root) as platform:
            await asyncio.to_thread(platform.line_with, "ready:")
            status = await asyncio.to_thread(run, "desktop", "status", cwd=desk.root)
            assert platform.stop() == 0
        fetch = await asyncio.to_thread(run, "config", "fetch", "--json", "--credentials", "login", cwd=desk.root)
        refused = await asyncio.to_thread(run, "config", "fetch", cwd=desk.root)
    assert json.loads(fetch.stdout)["settings"]["build"] == "for ann only"
    assert (refused.returncode, "Provide a user name and password with --credentials" in refused.stderr) == (1, True)
    assert "build: for ann only" in status.stdout
    assert f"problem: configuration source {other.url}: answered with status 401" in status.stdout
    assert {request.headers.get("authorization") for request in other.requests} == {None}
    assert USER[1] not in "".join([*platform.lines, *platform.messages, status.stdout, status.stderr])


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_the_prompt_signs_in_first(desk: Desk, server: Manager) -> None:
    desk.system(**with_source(server))
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*ROSTRUM, "desktop", "--headless"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=desk.root,
        env=clean_environment(),
        start_new_session=True,
    ) as started:
        assert started.stderr is not None
        assert started.stdout is not None
        try:
            os.close(theirs)
            # The space comes when the terminal has stopped showing what is typed; input from before is discarded.
            for prompt, answer in ((b"user:", USER[0]), (b"password: ", USER[1])):
                read_until(started.stderr, prompt)
                os.write(ours, f"{answer}\n".encode())
            assert b"ready:" in started.stdout.readline()
            status = run("desktop", "status", cwd=desk.root)
            assert "build: for ann only" in status.stdout
        finally:
            started.terminate()
            started.communicate(timeout=PATIENCE)
            os.close(ours)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_ctrl_c_ends_the_prompt_and_leaves_the_terminal_as_it_was(desk: Desk, server: Manager) -> None:
    import termios

    desk.system(**with_source(server))
    ours, theirs = os.openpty()
    before = termios.tcgetattr(ours)
    with subprocess.Popen(
        [*ROSTRUM, "desktop", "--headless"],
        stdin=theirs,
        stderr=subprocess.PIPE,
        cwd=desk.root,
        env=clean_environment(),
        start_new_session=True,
    ) as started:
        try:
            os.close(theirs)
            read_until(started.stderr, b"user:")
            os.write(ours, f"{USER[0]}\n".encode())
            read_until(started.stderr, b"password: ")
            started.send_signal(signal.SIGINT)
            started.communicate(timeout=PATIENCE)
            assert termios.tcgetattr(ours) == before
        finally:
            started.kill()
            os.close(ours)


def read_until(stream: Any, words: bytes) -> None:
    seen = b""
    while words not in seen:
        byte = stream.read(1)
        assert byte, seen
        seen += byte


@pytest.mark.parametrize("answer", [Login("bob", "secret of bob"), Login("bob", "wrong"), None])
async def test_another_source_that_wants_credentials_has_failed_unless_the_user_enters_some_for_its_origin(
    desk: Desk, server: Manager, answer: Login | None
) -> None:
    asked: list[str] = []

    async def ask(_: str) -> Login | None:
        return Login(*USER)

    async def ask_source(named: str) -> Login | None:
        asked.append(named)
        return answer

    async with running(protected("bob:secret of bob")) as other:
        desk.system(**with_source(server, {"type": "rest", "source": other.url}))
        platform = Platform(Start(root=desk.root), desk.host, ask, ask_source=ask_source)
        await platform.start()
        try:
            await platform.services.control.refresh()
            accepted = answer is not None and answer.password == "secret of bob"
            assert platform.settings.ui_version == ("protected" if accepted else None)
            assert bool([one for one in platform.status()["problems"] if "status 401" in one]) is not accepted
        finally:
            await platform.stop()
        assert asked == [origin(other)]
        entered = answer and f"Basic {base64.b64encode(f'{answer.user}:{answer.password}'.encode()).decode()}"
        assert {request.headers.get("authorization") for request in other.requests} == {None, entered}
    # What only this user's credentials gave is not there for the next start.
    kept = [*(desk.root / "UserData" / "configOverrides" / ".sources").glob("*.json")]
    assert not [path for path in kept if "protected" in path.read_text()]


@pytest.mark.rule("R-2.8-2", "X-7-2", "T-D-3")
async def test_a_required_source_of_another_origin_that_wants_credentials_stops_the_start(
    desk: Desk, server: Manager
) -> None:
    async with running(protected()) as other:
        desk.system(**with_source(server, {"type": "rest", "source": other.url, "required": True}))
        with pytest.raises(StartFailed, match=f"127.0.0.1:{other.port}.*status 401"):
            await desk.platform().start()


async def test_a_source_that_becomes_protected_is_not_replaced_by_its_last_answer(desk: Desk) -> None:
    async with running(protected()) as source:
        refusing, source.behaviour = source.behaviour, lambda _: answered()
        desk.system(systemConfigurations={"sources": [{"type": "rest", "source": source.url}]})
        async with desk.running() as platform:
            assert platform.settings.build == "remote"
        source.behaviour = refusing
        async with desk.running() as platform:
            assert platform.settings.build is None


async def answered() -> bytes:
    return response(200, json.dumps(ANSWER).encode())


async def test_a_password_in_the_address_of_a_source_is_a_problem_and_is_not_shown(desk: Desk) -> None:
    async with running(protected("ann:in the address")) as source:
        address = source.url.replace("//", "//ann:in%20the%20address@")
        desk.system(systemConfigurations={"sources": [{"type": "rest", "source": address}]})
        async with desk.running() as platform:
            (problem,) = platform.status()["problems"]
            assert "must not contain a password" in problem
            assert "the%20address" not in problem


@pytest.mark.rule("R-2.9-3", "E-4-2")
async def test_the_9_0_stream_gets_its_remote_configuration_from_the_manager_after_a_sign_in(
    desk: Desk, server: Manager
) -> None:
    desk.complete_9_0(appStores=[], server={"enabled": True, "url": server.address})
    gilding = {"remoteConfig": {"enabled": True, "url": f"{server.address}/systemConfig/get"}}
    (desk.root / "config" / "gilding.json").write_text(json.dumps(gilding))
    async with desk.running(version="9.9") as platform:
        fetched = [one for one in platform.status()["sources"] if one["type"] == "rest"]
        assert [one["status"] for one in fetched] == ["ok"]
        assert (platform.user, platform.settings.build) == (USER[0], "for ann only")
