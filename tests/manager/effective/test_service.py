"""What is said to be a user's is what the user gets, in firms that hypothesis makes up."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.sign_in.bootstrap import ensure_administrators
from rostrum.manager.topics import manager_storage
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.manager.firms import PASSWORD, USERS, Firm, fill, firms, wipe

few = settings(max_examples=8)


class Office:
    """A running manager with all content replaced for each example."""

    def __init__(self, runner: asyncio.Runner, api: Api, path: Path) -> None:
        self._runner = runner
        self._path = path
        self._passwords = Passwords(memory_kib=8, rounds=1)
        self.storage = manager_storage(f"sqlite:///{path}")
        self.admin = api.client(ADMIN)
        self.clients = {user: api.client((user, PASSWORD)) for user in USERS}

    def move_in(self, firm: Firm) -> None:
        """Make the database hold this firm and the administrator."""
        wipe(self._path)
        self._runner.run(self._fill(firm))

    async def _fill(self, firm: Firm) -> None:
        await ensure_administrators(self.storage, self._passwords, predefined=[":".join(ADMIN)], exclusive=[])
        await fill(self.storage, firm, self._passwords)

    def ask(self, client: httpx.AsyncClient, url: str, **params: Any) -> Any:
        """Read something that must be there."""
        answer = self._runner.run(client.get(url, params=params))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def status(self, client: httpx.AsyncClient, url: str) -> int:
        return self._runner.run(client.get(url)).status_code

    def close(self) -> None:
        self._runner.run(self.storage.close())


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    path = tmp_path_factory.mktemp("office") / "rostrum.db"
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        config = manager_config(f"sqlite:///{path}")
        api = runner.run(stack.enter_async_context(running_api(config, SettableClock())))
        office = Office(runner, api, path)
        yield office
        office.close()
        runner.run(stack.aclose())


def names(items: list[dict[str, Any]], *members: str) -> list[Any]:
    return [tuple(item[member] for member in members) for item in items if item["given"]]


@pytest.mark.long
@few
@given(firm=firms, version=st.sampled_from(["", "10", "10.1.2", "9.10", "11"]))
def test_what_is_said_to_be_given_is_what_the_user_gets(office: Office, firm: Firm, version: str) -> None:
    office.move_in(firm)
    for body in firm.users:
        user, client = body["id"], office.clients[body["id"]]
        said = office.ask(office.admin, f"/admin/users/{user}/effective", version=version)
        assert said["disabled"] is body["disabled"]
        if body["disabled"]:
            assert office.status(client, "/apps") == 401
            assert not any(names(said[kind]["items"]) for kind in ("apps", "layouts", "configs"))
            continue
        apps = office.ask(client, "/apps")["applications"]
        assert names(said["apps"]["items"], "name") == [(app["name"],) for app in apps]
        layouts = office.ask(client, "/layouts")["layouts"]
        assert names(said["layouts"]["items"], "type", "name") == [(each["type"], each["name"]) for each in layouts]
        chosen = said["defaultLayout"] or {}
        assert {key: chosen[key] for key in chosen if key != "because"} == office.ask(client, "/layouts/default")
        files = office.ask(client, "/systemConfig/get", version=version)
        assert names(said["configs"]["items"], "file") == [(file,) for file in files]


@pytest.mark.long
@few
@given(firm=firms, version=st.sampled_from(["", "10.1.2", "9.10"]))
def test_the_values_explained_are_the_values_clients_get(office: Office, firm: Firm, version: str) -> None:
    office.move_in(firm)
    stored = {item["id"]: item for item in office.ask(office.admin, "/admin/configs")["items"]}
    for body in firm.users:
        user = body["id"]
        files = office.ask(office.admin, "/systemConfig/get", user=user, version=version)
        said = office.ask(office.admin, "/admin/configs/explain", user=user, version=version)
        assert said["total"] == len(said["items"])
        found: dict[str, Any] = {}
        for item in said["items"]:
            winner = item["winner"]
            assert at(stored[winner["id"]]["contents"], item["path"]) == item["value"]
            assert winner["revision"] == stored[winner["id"]]["revision"]
            for loser in item["losers"]:
                assert at(stored[loser["id"]]["contents"], loser["path"]) == loser["value"]
            put(found, item["file"], item["path"], item["value"])
        assert found == {file: body["contents"] for file, body in files.items()}


def at(document: Any, path: str) -> Any:
    for step in path.split(".") if path else ():
        document = document[step]
    return document


def put(files: dict[str, Any], file: str, path: str, value: Any) -> None:
    """Build a document again from its leaves."""
    if not path:
        files[file] = value
        return
    place = files.setdefault(file, {})
    *around, last = path.split(".")
    for step in around:
        place = place.setdefault(step, {})
    place[last] = value
