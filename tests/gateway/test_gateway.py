"""The gateway as one thing: sign-ins, status, what ends with it."""

import json
import logging
import os
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from rostrum.gateway import watch
from rostrum.gateway.authentication import Account
from rostrum.gateway.logins import Challenged, Rejected, Verdict
from rostrum.gateway.messages.global_domain import Authentication
from rostrum.gateway.options import MemoryWatch
from rostrum.gateway.status_file import find_running
from rostrum.gateway.watch import census
from tests.gateway.sockets import quick, running, talking, until
from tests.plain_http import NO_TLS


class OneSecret:
    async def check(self, login: str, secret: str, address: str) -> Account | None:
        if secret == "explode":
            raise RuntimeError("a bug of the checker with the secret in it")
        return Account(user=login) if secret == "right" else None


class Challenges:
    async def step(self, conversation: str, credentials: Authentication) -> Verdict:
        return Rejected("no") if credentials.token else Challenged("bm9uY2U=")


async def test_a_secret_is_checked_and_an_access_token_lets_in_again() -> None:
    async with running(secrets=OneSecret()) as gateway, talking(gateway) as talker:
        assert (await talker.hello("ada", "wrong"))["reason_uri"] == "global.errors.authentication.failure"
        welcome = await talker.hello("ada", "right")
        token = welcome["options"]["access_token"]
        async with talking(gateway) as again:
            login = {"method": "access-token", "token": token}
            second = await again.ask(type="hello", authentication=login)
        assert second["resolved_identity"]["user"] == "ada"
        assert second["options"]["access_token"] == token


async def test_a_checker_with_a_bug_accepts_no_sign_in_and_reveals_nothing() -> None:
    async with running(secrets=OneSecret()) as gateway, talking(gateway) as talker:
        refused = await talker.hello("ada", "explode")

        assert refused["reason"] == "The credentials could not be checked. Try again later."
        assert (await talker.hello("ada", "right"))["type"] == "welcome"


async def test_guessing_on_one_connection_ends() -> None:
    async with running(secrets=OneSecret()) as gateway, talking(gateway) as talker:
        for _ in range(10):
            await talker.hello("ada", "wrong")

        assert "Too many" in (await talker.hello("ada", "right"))["reason"]


async def test_a_provider_may_challenge() -> None:
    async with running(providers={"win": Challenges()}) as gateway, talking(gateway) as talker:
        challenge = await talker.ask(type="hello", request_id="s", authentication={"provider": "win"})
        assert (challenge["type"], challenge["authentication"]) == ("authentication-request", {"token": "bm9uY2U="})

        refused = await talker.ask(type="hello", request_id="s", authentication={"provider": "win", "token": "x"})
        assert refused["reason_uri"] == "global.errors.authentication.failure"


async def test_the_status_is_for_those_who_can_read_the_file(tmp_path: Path) -> None:
    options = replace(quick(), status_folder=tmp_path / "run")
    async with running(options) as gateway, talking(gateway, "ada", "agm") as talker:
        await talker.ask(domain="agm", type="register", methods=[{"id": 1, "name": "Demo"}])
        await talker.ask(type="create-context", name="ctx", data={"secret": 1}, lifetime="retained")
        [found] = find_running(tmp_path / "run")
        assert (found.address, found.pid) == (gateway.address, os.getpid())
        assert os.name == "nt" or found.path.stat().st_mode & 0o077 == 0
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
            address = gateway.address.replace("ws:", "http:") + "/status"
            for headers in (
                {},
                {"Authorization": "Bearer x"},
                {"Authorization": "Bearer \xe9"},
                {"Authorization": found.token},
            ):
                answer = await client.get(
                    address, headers=[(k.encode(), v.encode("latin-1")) for k, v in headers.items()]
                )
                assert answer.status_code == 401
            status = (await client.get(address, headers={"Authorization": f"Bearer {found.token}"})).json()
    assert find_running(tmp_path / "run") == []
    [peer] = status["peers"]
    assert (peer["application"], peer["user"], peer["domains"], peer["is_slow"]) == ("test", "ada", ["agm"], False)
    assert status["methods"][0]["name"] == "Demo"
    assert (status["contexts"][0]["name"], status["contexts"][0]["members"]) == ("ctx", 1)
    assert status["counts"]["received"] == 3
    assert {"direction": "in", "domain": "agm", "type": "register", "count": 1} in status["types"]
    assert "secret" not in json.dumps(status)


async def test_without_a_folder_the_status_is_not_accessible() -> None:
    async with running() as gateway, httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
        answer = await client.get(gateway.address.replace("ws:", "http:") + "/status")

    assert answer.status_code == 401


async def test_a_folder_that_cannot_be_written_does_not_stop_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "file"
    with file.open("w"):
        pass
    async with running(replace(quick(), status_folder=file / "below")):
        assert "will not find this gateway" in caplog.text


@pytest.mark.rule("R-2.10-5", "R-2.10-6", "L-D-4", "T-D-13")
async def test_memory_is_watched_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rostrum.gateway")

    async def few() -> list[dict[str, object]]:
        return await census([[]])

    monkeypatch.setattr(watch, "census", few)
    memory = MemoryWatch(folder=tmp_path, limit=0, interval=0.01, most_snapshots=1, prefix="here")
    async with running(replace(quick(), memory=memory)):
        await until((tmp_path / "here.1.heapsnapshot").exists)
        await until(lambda: sum(line.startswith("heap size") for line in caplog.messages) > 3)


async def test_who_reloads_and_does_not_come_back_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running() as gateway:
        told: list[float] = []
        monkeypatch.setattr(gateway._router, "expire", told.append)
        await until(lambda: told)
