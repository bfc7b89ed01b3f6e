"""Every method of the client against a real manager."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from rostrum.client.credentials import NOBODY, Basic, Bearer
from rostrum.client.errors import NotPermitted, Refused, Unreachable
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from tests.real_manager import USER, Manager, manager

LAYOUT = {"name": "Morning", "type": "Global", "components": [], "metadata": {}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("manager")) as running:
        running.add_app("clock")
        yield running


@pytest.fixture
async def client(server: Manager) -> AsyncIterator[ManagerClient]:
    async with Service(server.address, Basic(*USER)) as service:
        yield ManagerClient(service)


@pytest.mark.rule("R-0-3", "E-4-9")
async def test_the_manager_identifies_the_caller(client: ManagerClient) -> None:
    assert (await client.me()).id == USER[0]


@pytest.mark.parametrize("credentials", [NOBODY, Basic("ann", "wrong"), Bearer("no.token.at-all")])
async def test_wrong_credentials_are_not_permitted(server: Manager, credentials: Basic | Bearer) -> None:
    async with Service(server.address, credentials) as service:
        with pytest.raises(NotPermitted, match="status 401"):
            await ManagerClient(service).me()


@pytest.mark.rule("E-4-9")
async def test_a_list_is_answered_once_and_then_only_when_it_changes(server: Manager, client: ManagerClient) -> None:
    first = await client.apps()
    assert "clock" in [app["name"] for app in first.body["applications"]]
    assert (await client.apps(first.etag)).unchanged
    server.add_app("calendar")
    assert not (await client.apps(first.etag)).unchanged


@pytest.mark.rule("E-4-9")
async def test_layouts_are_saved_renamed_chosen_and_removed(client: ManagerClient) -> None:
    await client.layouts.save(LAYOUT)
    assert [one["name"] for one in (await client.layouts.all()).body["layouts"]] == ["Morning"]
    await client.layouts.rename(LAYOUT, "Evening")
    assert await client.layouts.default() is None
    await client.layouts.set_default("Evening", "Global")
    assert await client.layouts.default() == ("Evening", "Global")
    await client.layouts.set_default(None, None)
    assert await client.layouts.default() is None
    await client.layouts.remove("Evening", "Global")
    assert (await client.layouts.all()).body == {"layouts": []}


async def test_what_the_manager_refuses_is_said_in_its_words(client: ManagerClient) -> None:
    with pytest.raises(Refused, match="status 400: ") as refused:
        await client.layouts.save({"name": 1})
    assert refused.value.status == 400


@pytest.mark.rule("E-4-9")
async def test_preferences_are_kept_and_cleared(client: ManagerClient) -> None:
    await client.preferences.save("clock", {"zone": "Oslo"})
    (kept,) = (await client.preferences.all()).body
    assert (kept["app"], kept["data"]) == ("clock", {"zone": "Oslo"})
    assert (await client.preferences.get("clock")).body["data"] == {"zone": "Oslo"}
    await client.preferences.clear("clock")
    assert (await client.preferences.all()).body == []


async def test_a_session_lives_with_its_own_token(server: Manager, client: ManagerClient) -> None:
    opened = await client.open_session({"machine": {"name": "desk-1"}, "version": "10.1", "commands": ["Restart"]})
    bearer = Bearer(opened.token)
    async with Service(server.address, bearer) as service:
        own = ManagerClient(service)
        await own.heartbeat(opened.id, ["Restart", "OpenLogs"])
        bearer.token = (await own.refresh_token()).token
        server.admin("POST", "/admin/commands", {"session": opened.id, "command": "Restart", "params": {"x": 1}}, 201)
        (command,) = await own.commands(opened.id)
        assert (command.command, command.params) == ("Restart", {"x": 1})
        await own.answer_command(opened.id, command.id, "done", {"ok": True})
        assert await own.commands(opened.id) == []
        await own.close_session(opened.id)
    seen = server.admin("GET", f"/admin/sessions/{opened.id}")
    assert (seen["machine"] != "", seen["ended"] is not None) == (True, True)


async def test_reports_are_sent_with_and_without_files(server: Manager, client: ManagerClient) -> None:
    crash = await client.send_crash({"_productName": "rostrum", "ver": "1"}, ("a.dmp", b"MDMP\0\r\n--"))
    bare = await client.send_crash({"_productName": "rostrum"})
    feedback = await client.send_feedback("it's \N{SNOWMAN}", ('odd"\r\nname.txt', b"log"))
    assert server.admin("GET", f"/admin/crashes/{crash}")["minidump"]["size"] == 9
    assert server.admin("GET", f"/admin/crashes/{bare}")["minidump"] is None
    assert server.admin("GET", f"/admin/feedback/{feedback}")["description"] == "it's \N{SNOWMAN}"


async def test_a_manager_that_is_not_there_is_unreachable(tmp_path: Path) -> None:
    with manager(tmp_path) as gone:
        pass
    async with Service(gone.address, Basic(*USER)) as service:
        with pytest.raises(Unreachable, match="the connection failed"):
            await ManagerClient(service).me()
