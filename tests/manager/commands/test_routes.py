from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.commands.service import KNOWN_COMMANDS
from tests.conftest import Api


async def open_session(client: httpx.AsyncClient, *commands: Any) -> str:
    session: str = (await client.post("/sessions", json={"commands": list(commands)})).json()["id"]
    return session


async def send(api: Api, session: str, command: str = "Restart", **params: Any) -> dict[str, Any]:
    answer = await api.admin.post("/admin/commands", json={"session": session, "command": command, "params": params})
    assert answer.status_code == 201, answer.text
    sent: dict[str, Any] = answer.json()["items"][0]
    return sent


async def fetch(client: httpx.AsyncClient, session: str) -> list[dict[str, Any]]:
    waiting: list[dict[str, Any]] = (await client.get(f"/sessions/{session}/commands")).json()["commands"]
    return waiting


@pytest.mark.rule("R-6-1", "E-4-11")
async def test_feedback_is_requested_fetched_and_answered(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    session = await open_session(user, "SendFeedback")

    answer = await api.admin.post(
        "/admin/commands", json={"session": session, "command": "SendFeedback", "params": {"reason": "slow"}}
    )
    assert answer.status_code == 201
    assert answer.json()["total"] == 1
    sent = answer.json()["items"][0]
    assert answer.headers["Location"] == f"/api/admin/commands/{sent['id']}"
    assert sent == {
        "id": sent["id"],
        "session": session,
        "user": "ann",
        "command": "SendFeedback",
        "params": {"reason": "slow"},
        "status": "pending",
        "data": None,
        "created": "2026-01-01T00:00:00Z",
        "createdBy": "admin",
        "delivered": None,
        "finished": None,
    }

    clock.advance(30)
    polled = await fetch(user, session)
    assert polled == [{name: sent[name] for name in ("id", "command", "params", "created")}]
    delivered = (await api.admin.get(f"/admin/commands/{sent['id']}")).json()
    assert delivered == {**sent, "status": "delivered", "delivered": "2026-01-01T00:00:30Z"}

    clock.advance(5)
    result = {"status": "done", "data": {"feedback": "abc", "files": [1]}, "more": "ignored"}
    answered = await user.post(f"/sessions/{session}/commands/{sent['id']}/result", json=result)
    assert (answered.status_code, answered.content) == (204, b"")
    finished = (await api.admin.get(f"/admin/commands/{sent['id']}")).json()
    assert finished == {**delivered, "status": "done", "data": result["data"], "finished": "2026-01-01T00:00:35Z"}
    assert await fetch(user, session) == []


async def test_a_session_that_reports_no_commands_takes_every_known_one(api: Api) -> None:
    user = await api.add_user("ann")
    session = await open_session(user)

    for command in KNOWN_COMMANDS:
        sent = await send(api, session, command)
        polled = await fetch(user, session)
        assert [item["command"] for item in polled] == [command]
        result = {"status": "done", "data": command}
        answered = await user.post(f"/sessions/{session}/commands/{sent['id']}/result", json=result)
        assert answered.status_code == 204
    assert (await api.admin.get("/admin/commands", params={"status": "done"})).json()["total"] == len(KNOWN_COMMANDS)


async def test_one_command_goes_to_several_sessions_at_once(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    sessions = [await open_session(ann), await open_session(bob), await open_session(bob)]
    body = {"sessions": [*sessions, sessions[0]], "command": "RefreshApps"}

    answer = await api.admin.post("/admin/commands", json=body)

    assert answer.status_code == 201
    assert [(item["session"], item["user"]) for item in answer.json()["items"]] == list(
        zip(sessions, ("ann", "bob", "bob"), strict=True)
    )
    assert answer.headers["Location"] == "/api/admin/commands"
    for client, session in zip((ann, bob, bob), sessions, strict=True):
        assert [item["command"] for item in await fetch(client, session)] == ["RefreshApps"]


@pytest.mark.rule("R-2.6-11")
async def test_a_command_that_one_session_cannot_take_goes_to_none(api: Api) -> None:
    user = await api.add_user("ann")
    able, ended = await open_session(user), await open_session(user)
    unable = await open_session(user, "GetLogs", {"type": "Restart"})
    await user.delete(f"/sessions/{ended}")

    answer = await api.admin.post(
        "/admin/commands", json={"sessions": [able, unable, ended, "nothing"], "command": "StopApps"}
    )

    assert answer.status_code == 400
    problems = {detail["path"]: detail["message"] for detail in answer.json()["error"]["details"]}
    assert set(problems) == {"command", "sessions[2]", "sessions[3]"}
    assert problems["command"].endswith("it supports GetLogs, Restart")
    assert "has ended" in problems["sessions[2]"]
    assert "no session" in problems["sessions[3]"]
    assert await fetch(user, able) == []
    for session in (ended, "nothing"):
        alone = await api.admin.post("/admin/commands", json={"session": session, "command": "Restart"})
        assert alone.json()["error"]["details"][0]["path"] == "session"


async def test_a_session_is_held_to_the_commands_it_reports_and_may_report_its_own(api: Api) -> None:
    user = await api.add_user("ann")
    session = await open_session(user, {"name": "OurOwnCommand"}, {"type": "GetLogs"})

    await send(api, session, "OurOwnCommand")
    await send(api, session, "GetLogs")
    refused = await api.admin.post("/admin/commands", json={"session": session, "command": "Restart"})
    assert refused.status_code == 400
    await user.patch(f"/sessions/{session}", json={"commands": ["Restart"]})
    await send(api, session, "Restart")


async def test_a_command_is_given_again_until_it_is_answered(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    session = await open_session(user)
    first = await send(api, session, "GetLogs")
    assert [item["id"] for item in await fetch(user, session)] == [first["id"]]
    clock.advance(1)
    second = await send(api, session, "Restart")

    assert [item["id"] for item in await fetch(user, session)] == [first["id"], second["id"]]
    await user.post(f"/sessions/{session}/commands/{first['id']}/result", json={"status": "failed", "data": "no logs"})
    assert [item["id"] for item in await fetch(user, session)] == [second["id"]]
    read = (await api.admin.get(f"/admin/commands/{first['id']}")).json()
    assert (read["delivered"], read["status"], read["data"]) == ("2026-01-01T00:00:00Z", "failed", "no logs")


async def test_the_first_answer_stands(api: Api) -> None:
    user = await api.add_user("ann")
    session = await open_session(user)

    for status, data in (("done", {"a": 1}), ("failed", "why"), ("unsupported", None)):
        address = f"/sessions/{session}/commands/{(await send(api, session))['id']}/result"
        result = {"status": status} if data is None else {"status": status, "data": data}
        assert (await user.post(address, json=result)).status_code == 204
        assert (await user.post(address, json=result)).status_code == 204
        assert (await user.post(address, json={"status": status, "data": "other"})).status_code == 409
        other = "failed" if status == "done" else "done"
        assert (await user.post(address, json={**result, "status": other})).status_code == 409
    kept = (await api.admin.get("/admin/commands", params={"sort": "status"})).json()["items"]
    assert [(item["status"], item["data"]) for item in kept] == [
        ("done", {"a": 1}),
        ("failed", "why"),
        ("unsupported", None),
    ]


async def test_only_the_session_a_command_went_to_answers_it(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    session, other = await open_session(ann), await open_session(ann)
    of_bob = await open_session(bob)
    command = (await send(api, session))["id"]
    result = {"status": "done"}

    assert (await ann.post(f"/sessions/{other}/commands/{command}/result", json=result)).status_code == 404
    assert (await bob.post(f"/sessions/{session}/commands/{command}/result", json=result)).status_code == 404
    assert (await bob.post(f"/sessions/{of_bob}/commands/{command}/result", json=result)).status_code == 404
    assert (await ann.post(f"/sessions/{session}/commands/nothing/result", json=result)).status_code == 404
    wrong: Any
    for wrong in ({}, {"status": "pending"}, {"status": 7}, []):
        answer = await ann.post(f"/sessions/{session}/commands/{command}/result", json=wrong)
        assert answer.status_code == 400
    await ann.delete(f"/sessions/{session}")
    assert (await ann.post(f"/sessions/{session}/commands/{command}/result", json=result)).status_code == 409


async def test_a_poll_that_finds_nothing_new_is_answered_without_a_body(api: Api) -> None:
    user = await api.add_user("ann")
    session = await open_session(user)
    address = f"/sessions/{session}/commands"
    tag = (await user.get(address)).headers["ETag"]

    assert (await user.get(address, headers={"If-None-Match": tag})).status_code == 304
    await send(api, session)
    assert (await user.get(address, headers={"If-None-Match": tag})).status_code == 200


async def test_wrong_commands_are_refused(api: Api) -> None:
    user = await api.add_user("ann")
    session = await open_session(user)

    for body in (
        {"command": "Restart"},
        {"session": session},
        {"session": session, "sessions": [session], "command": "Restart"},
        {"sessions": [], "command": "Restart"},
        {"session": session, "command": "Restart", "params": []},
        {"session": session, "command": "Restart", "parms": {}},
        {"session": session, "command": ""},
        {"session": session, "command": "Unheard"},
    ):
        assert (await api.admin.post("/admin/commands", json=body)).status_code == 400, body
    assert (await api.admin.get("/admin/commands")).json()["total"] == 0


async def test_a_deleted_command_is_called_back(api: Api) -> None:
    user = await api.add_user("ann")
    session = await open_session(user)
    command = (await send(api, session))["id"]

    assert (await api.admin.delete(f"/admin/commands/{command}")).status_code == 204

    assert await fetch(user, session) == []
    for method in ("GET", "DELETE"):
        assert (await api.admin.request(method, f"/admin/commands/{command}")).status_code == 404


async def test_sending_and_reading_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:COMMANDS:READ")
    session = await open_session(nobody)
    command = (await send(api, session))["id"]
    body = {"session": session, "command": "Restart"}

    assert (await nobody.get("/admin/commands")).status_code == 403
    assert (await nobody.post("/admin/commands", json=body)).status_code == 403
    assert (await reader.get(f"/admin/commands/{command}")).status_code == 200
    assert (await reader.get("/admin/commands", params={"user": "nobody", "session": session})).json()["total"] == 1
    assert (await reader.post("/admin/commands", json=body)).status_code == 403
    assert (await reader.delete(f"/admin/commands/{command}")).status_code == 403
