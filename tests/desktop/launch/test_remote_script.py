"""Node apps whose script is fetched: real Node.js, a real server on loopback."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch import remote_script
from rostrum.desktop.launch.launcher import Launch, Surroundings
from rostrum.desktop.launch.node import NodeLauncher
from rostrum.desktop.launch.remote_script import RemoteScript, RemoteScripts
from tests.sources.server import Request, Server, answering, response, running, slow
from tools.node import find_node

PATIENCE = 60
WRITES = (
    "require('fs').writeFileSync('out.txt', process.argv.slice(2).join(' ') + ' ' + process.env.ROSTRUM_APPLICATION)"
)


class Library:
    """Serves one script with a version; can be switched off."""

    def __init__(self) -> None:
        self.script = WRITES.encode()
        self.version = '"1"'
        self.away = False
        self.server: Server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/app.js"

    async def answer(self, request: Request) -> bytes:
        if self.away:
            return response(503)
        if request.headers.get("if-none-match") == self.version:
            return response(304)
        return response(200, self.script, f"ETag: {self.version}", "Content-Type: text/javascript")


@asynccontextmanager
async def library() -> AsyncIterator[Library]:
    made = Library()
    async with running(made.answer) as server:
        made.server = server
        yield made


async def run(root: Path, details: dict[str, Any], trusted: Callable[[str], bool] = lambda _: False) -> int | None:
    """Start an app and wait for its end."""
    node = find_node().node
    ended: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    surroundings = Surroundings(root=root, logs=root / "logs", variables={"PATH": "/usr/bin:/bin", "PLACE": "app"})
    launcher = NodeLauncher(surroundings, root / "scripts", node=node, trusted=trusted)
    definition = {"name": "tool", "type": "node", "details": details}
    await launcher.launch(Launch(instance="1", definition=definition, title="x", ended=ended.set_result))
    return await asyncio.wait_for(ended, PATIENCE)


def script(url: str, **members: Any) -> RemoteScript:
    return RemoteScript(url=url, headers={}, **members)


@pytest.mark.parametrize("place", ["remote", "path"])
async def test_a_script_is_fetched_and_runs(tmp_path: Path, place: str) -> None:
    async with library() as served:
        url = served.url.replace("app.js", "%PLACE%.js")
        details = {"path": url} if place == "path" else {"remote": {"url": url}}
        assert await run(tmp_path, {**details, "parameters": "one 'two words'"}) == 0
    assert (tmp_path / "out.txt").read_text() == "one two words tool"
    assert served.server.requests[0].path == "/app.js"


async def test_a_module_runs_as_a_module(tmp_path: Path) -> None:
    module = b"import fs from 'node:fs'; fs.writeFileSync('out.txt', 'module')"
    async with running(answering(200, module)) as server:
        assert await run(tmp_path, {"remote": {"url": f"http://localhost:{server.port}/x.mjs?v=1"}}) == 0
    assert (tmp_path / "out.txt").read_text() == "module"


async def test_it_is_fetched_again_only_when_it_differs_and_kept_while_the_service_is_away(tmp_path: Path) -> None:
    scripts = RemoteScripts(tmp_path)
    async with library() as served:
        file = await scripts.fetch(script(served.url))
        assert await scripts.fetch(script(served.url)) == file
        assert served.server.requests[1].headers["if-none-match"] == '"1"'
        served.script, served.version = b"// newer", '"2"'
        assert (await scripts.fetch(script(served.url))).read_bytes() == b"// newer"
        served.away = True
        assert (await scripts.fetch(script(served.url))).read_bytes() == b"// newer"
        with pytest.raises(LaunchFailed, match="cannot be fetched: answered with status 503"):
            await scripts.fetch(script(served.url, keep=False))
        with pytest.raises(LaunchFailed, match="cannot be fetched"):
            await scripts.fetch(script(served.url + "?other"))


async def test_without_cache_it_is_fetched_completely_each_time_with_its_headers(tmp_path: Path) -> None:
    async with library() as served:
        remote = {"url": served.url, "noCache": True, "headers": [{"name": "X-Key", "value": "secret"}]}
        for _ in range(2):
            wanted = RemoteScript.of({"remote": remote}, trusted=False)
            assert wanted is not None
            await RemoteScripts(tmp_path).fetch(wanted)
    assert [request.headers["x-key"] for request in served.server.requests] == ["secret"] * 2
    assert all("if-none-match" not in request.headers for request in served.server.requests)


async def test_a_damaged_or_half_kept_script_is_fetched_anew(tmp_path: Path) -> None:
    scripts = RemoteScripts(tmp_path)
    async with library() as served:
        file = await scripts.fetch(script(served.url))
        file.with_suffix(".json").write_text("{")
        await scripts.fetch(script(served.url))
        file.unlink()
        assert (await scripts.fetch(script(served.url))).read_bytes() == served.script
    assert all("if-none-match" not in request.headers for request in served.server.requests)


@pytest.mark.rule("R-2.12-6")
async def test_only_https_and_this_machine_are_trusted_by_themselves(tmp_path: Path) -> None:
    scripts = RemoteScripts(tmp_path)
    for url in ("http://apps.example/x.js?key=secret", "ftp://apps.example/x.js", "http://127.0.0.1.example/x.js"):
        with pytest.raises(LaunchFailed, match="without TLS") as refused:
            await scripts.fetch(script(url))
        assert "secret" not in str(refused.value)
    # A trusted store may name any address; this one is then not there.
    with pytest.raises(LaunchFailed, match="cannot be fetched"):
        await scripts.fetch(script("http://apps.invalid/x.js", trusted=True, timeout=5))


@pytest.mark.parametrize("status", [304, 307, 401, 404])
async def test_an_answer_that_is_no_script_starts_nothing(tmp_path: Path, status: int) -> None:
    async with running(answering(status, b"", "Location: http://elsewhere.example/")) as server:
        with pytest.raises(LaunchFailed, match=r"tool: the script http://127\.0\.0\.1:.* cannot be fetched"):
            await run(tmp_path, {"remote": {"url": server.url}})
    assert not (tmp_path / "scripts").exists()


async def test_a_script_is_bounded_in_size_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_script, "_MOST_BYTES", 10)
    async with library() as served:
        with pytest.raises(LaunchFailed, match="longer than 10 bytes"):
            await RemoteScripts(tmp_path).fetch(script(served.url))
    async with slow() as server:
        with pytest.raises(LaunchFailed, match=r"no full answer within 0\.1 s"):
            await RemoteScripts(tmp_path).fetch(script(server.url, timeout=0.1))


async def test_what_cannot_be_sent_or_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(LaunchFailed, match="characters that cannot be sent"):
        await RemoteScripts(tmp_path).fetch(RemoteScript(url="https://x.example/", headers={"X": "a\nb"}))
    (tmp_path / "taken").write_text("no folder")
    async with library() as served:
        with pytest.raises(LaunchFailed, match="the script cannot be written: "):
            await RemoteScripts(tmp_path / "taken").fetch(script(served.url))


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({}, "neither path nor remote.url"),
        ({"path": "gone.js"}, "there is no script"),
        ({"path": "%NOPE%/x.js"}, "no environment variable NOPE"),
        ({"remote": {"url": "https://[/x.js"}}, "cannot be read"),
    ],
)
async def test_a_script_that_cannot_be_found_is_said(tmp_path: Path, details: Any, message: str) -> None:
    with pytest.raises(LaunchFailed, match=f"tool: .*{message}"):
        await run(tmp_path, details)
