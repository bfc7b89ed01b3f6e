"""Configuration while the platform runs: read again, shown in the status with all that is wrong with it."""

import json
from typing import Any

import pytest

from tests.desktop.test_platform import Desk, desk, until
from tests.sources.server import Request, answering, down, response, running, serving
from tests.stores.apps.backends import app

__all__ = ["desk"]


class Source:
    """A plain REST source with validators that shows how it was asked."""

    def __init__(self, unchanged: int) -> None:
        self.unchanged = unchanged
        self.system: dict[str, Any] = {"spellchecker": {"enabled": True}}
        self.full_answers = 0

    async def __call__(self, request: Request) -> bytes:
        body = json.dumps({"system.json": {"contents": self.system}}).encode()
        tag = f'"{hash(body)}"'
        if request.headers.get("if-none-match") == tag:
            return response(self.unchanged)
        self.full_answers += 1
        return response(200, body, f"ETag: {tag}")


@pytest.mark.rule("R-2.8-7", "T-D-10")
# For a POST, HTTP asks for status 412 where a GET gets 304; services answer either.
@pytest.mark.parametrize("unchanged", [304, 412])
async def test_a_plain_rest_source_is_asked_again_with_its_validators(desk: Desk, unchanged: int) -> None:
    source = Source(unchanged)
    async with running(source) as server:
        sources = {"sources": [{"type": "rest", "source": server.url}], "restFetchInterval": 0.01}
        desk.system(systemConfigurations=sources)
        async with desk.running() as platform:
            await until(lambda: len(server.requests) >= 4)
            assert source.full_answers == 1
            assert platform.status()["problems"] == []
            source.system = {"spellchecker": {"enabled": False}}
            await until(lambda: not platform.local.live.value.spellchecker.enabled)
            assert source.full_answers == 2
            saved = json.loads((desk.root / "UserData" / "configOverrides" / "system.json").read_text())
            assert saved == source.system
            source.system = {"spellchecker": {"enabled": True}, "build": "another"}
            await until(lambda: any("Restart the desktop" in one for one in platform.status()["problems"]))
            assert (platform.local.live.value.spellchecker.enabled, platform.settings.build) == (True, None)


async def test_a_source_that_fails_later_leaves_the_settings_as_they_are_and_is_a_problem_until_it_is_back(
    desk: Desk,
) -> None:
    source = Source(304)
    source.system = {"spellchecker": {"enabled": False}}
    async with running(source) as server:
        entry = {"type": "rest", "source": server.url, "restRetries": 0, "restUseCache": False, "required": True}
        desk.system(systemConfigurations={"sources": [entry], "restFetchInterval": 0.01})
        async with desk.running() as platform:
            server.behaviour = answering(500)
            await until(lambda: any("is unchanged" in one for one in platform.status()["problems"]))
            assert not platform.local.live.value.spellchecker.enabled
            server.behaviour = source
            await until(lambda: platform.status()["problems"] == [])


@pytest.mark.rule("R-2.8-3", "R-2.12-2", "X-7-3", "T-D-4")
async def test_the_status_shows_failed_sources_copies_and_problems_of_the_configuration(desk: Desk) -> None:
    async with running(source_of({})) as remote, running(apps()) as apps_server, down() as dead:
        sources = [{"type": "rest", "source": server.url, "restRetries": 0} for server in (remote, dead)]
        members = {
            "appStores": [{"type": "rest", "isRequired": False, "details": details(apps_server.url)}],
            "systemConfigurations": {"sources": sources, "restFetchInterval": 0},
            "windows": {"chanelSelector": {}},
        }
        desk.system(**members)
        async with desk.running() as platform:
            status = platform.status()
            failed, wrong = status["problems"]
            assert [one["status"] for one in status["sources"]] == ["ok", "ok", "failed"]
            assert failed.startswith(f"configuration source {dead.url}: the connection failed")
            assert "windows.chanelSelector" in wrong
            assert "system.json:1: " in wrong
        remote.behaviour = apps_server.behaviour = answering(503)
        async with desk.running() as platform:
            status = platform.status()
            cached, _, _, copy = status["problems"]
            assert [one["status"] for one in status["sources"]] == ["ok", "cached", "failed"]
            (step,) = (one for one in status["steps"] if one["name"] == "remote configuration")
            assert (step["state"], "its last answer is used" in step["note"]) == ("degraded", True)
            assert cached.startswith(f"configuration source {remote.url}: answered with status 503; the answer saved ")
            assert copy.startswith(f"rest {apps_server.url}: does not answer; the list saved ")
            assert [*platform.stores.apps.apps] == ["clock"]
            apps_server.behaviour = apps()
            await until(lambda: not any("does not answer" in one for one in platform.status()["problems"]))
            told = json.loads((desk.root / "UserData" / "status.json").read_text())
            assert not any("does not answer" in one for one in told["problems"])


def details(url: str) -> dict[str, Any]:
    return {"url": url, "startRetryInterval": 1, "pollInterval": 20}


def source_of(system: dict[str, Any]) -> Any:
    return serving({"system.json": {"contents": system}})


def apps() -> Any:
    return serving({"applications": [app("clock")]})
