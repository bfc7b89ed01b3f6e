"""Where remote configuration can send a desktop, its password and its reports: only where local files say."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from rostrum.client.credentials import Basic, Bearer
from rostrum.client.errors import Refused
from rostrum.client.service import Service
from rostrum.desktop.errors import StartFailed
from rostrum.desktop.login import Login
from tests.desktop.test_platform import Desk, desk
from tests.end_to_end.processes import run
from tests.end_to_end.processes import serving as process
from tests.real_manager import USER, Manager, manager
from tests.sources.server import Server, answering, running, serving

__all__ = ["desk"]

SSO = {"authController": "sso"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("manager")) as started:
        yield started


@asynccontextmanager
async def attacker() -> AsyncIterator[Server]:
    async with running(answering(200, b"{}")) as evil:
        yield evil


def redirecting(evil: str) -> dict[str, Any]:
    """What a source would say to get a password, a sign-in page, reports and updates."""
    return {
        "server": {"enabled": True, "url": f"{evil}/api"},
        "ssoAuth": {**SSO, "options": {"url": f"{evil}/admin/?gd"}},
        "crashReporter": {"output": {"type": "server", "serverUrl": f"{evil}/api/crashes"}},
        "autoUpdater": {"enabled": True, "updateSource": {"type": "StaticStorage", "baseUrl": evil}},
    }


def base(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.mark.long
async def test_a_source_cannot_send_the_password_sign_in_page_reports_or_updates_elsewhere(
    desk: Desk, server: Manager
) -> None:
    async with attacker() as evil, running(serving({"system.json": {"contents": redirecting(base(evil))}})) as source:
        desk.system(
            appStores=[],
            server={"enabled": True, "url": server.address},
            systemConfigurations={"sources": [{"type": "rest", "source": source.url}]},
        )
        (desk.root / "login").write_text(f"{USER[0]}:{USER[1]}")
        options = ("--headless", "--credentials", "login")
        with process("desktop", *options, cwd=desk.root) as platform:
            await asyncio.to_thread(platform.line_with, "ready:")
            status = json.loads((await asyncio.to_thread(run, "desktop", "status", "--json", cwd=desk.root)).stdout)
            assert platform.stop() == 0
    assert status["manager"] == server.address
    assert evil.requests == []
    step = next(one for one in status["steps"] if one["name"] == "remote configuration")
    assert step["state"] == "degraded"
    for section in redirecting("x"):
        assert f"{section}: names an origin that the local files do not trust" in step["note"]
    for section in redirecting("x"):
        assert any(f"system.json: {section}: names an origin" in line for line in platform.messages), section


async def test_an_origin_that_a_local_setting_lists_is_trusted(desk: Desk) -> None:
    async with attacker() as evil, running(serving({"system.json": {"contents": redirecting(base(evil))}})) as source:
        desk.logins = [Login(*USER)]
        sources = {"sources": [{"type": "rest", "source": source.url}]}
        desk.system(systemConfigurations=sources, trustedOrigins=[base(evil).upper()])
        with pytest.raises(StartFailed):
            await desk.platform().start()
        expected = base64.b64encode(":".join(USER).encode()).decode()
        assert [one.headers["authorization"] for one in evil.requests] == [f"Basic {expected}"]


async def test_a_remote_source_cannot_add_a_trusted_origin(desk: Desk) -> None:
    async with attacker() as evil:
        remote = {**redirecting(base(evil)), "trustedOrigins": [base(evil)]}
        async with running(serving({"system.json": {"contents": remote}})) as source:
            desk.system(systemConfigurations={"sources": [{"type": "rest", "source": source.url}]})
            async with desk.running() as platform:
                assert not platform.settings.server.enabled
                assert platform.settings.trusted_origins == ()
        assert evil.requests == []


async def test_a_source_names_itself_when_the_local_files_name_no_manager(desk: Desk) -> None:
    async with running(answering(200, b"{}")) as source:
        remote = redirecting(base(source))
        source.behaviour = serving({"system.json": {"contents": {"crashReporter": remote["crashReporter"]}}})
        desk.system(systemConfigurations={"sources": [{"type": "rest", "source": source.url}]})
        async with desk.running() as platform:
            assert platform.settings.crash_reporter.output.server_url == f"{base(source)}/api/crashes"


async def test_credentials_go_to_the_origin_they_were_entered_for_and_to_no_other() -> None:
    async with attacker() as good, attacker() as evil:
        for proof in (Basic(*USER, base(good)), Bearer("token", base(good))):
            async with Service(f"{base(good)}/api", proof) as service:
                await service.request("GET", "/me")
                service.address = f"{base(evil)}/api"
                with pytest.raises(Refused, match="not sent to another origin"):
                    await service.request("GET", "/me")
                with pytest.raises(Refused, match="not sent to another origin"):
                    async with service.stream("/events", {}):
                        pass
        assert (len(good.requests), evil.requests) == (2, [])


async def test_a_sign_in_that_names_its_origin_is_used_for_no_other(desk: Desk) -> None:
    async with attacker() as evil:
        desk.logins = [Login(*USER, "https://manager.example.com")]
        desk.system(server={"enabled": True, "url": f"{base(evil)}/api"})
        with pytest.raises(StartFailed, match=r"the credentials are for https://manager\.example\.com"):
            await desk.platform().start()
        assert evil.requests == []


async def test_an_entry_that_is_no_origin_is_reported(desk: Desk) -> None:
    desk.system(trustedOrigins=["updates.example.com", "https://updates.example.com"])
    async with desk.running() as platform:
        (finding,) = [one for one in platform.configuration.loaded.problems if one.path.startswith("trustedOrigins")]
        assert (finding.path, "is not an origin" in finding.message) == ("trustedOrigins", True)
