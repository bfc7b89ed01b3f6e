from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

OPENING: dict[str, Any] = {
    "machine": {"name": "DESK-7", "os": "Windows 11", "displays": [{"width": 2560}]},
    "version": "10.1.2",
    "env": "UAT",
    "region": "EMEA",
    "product": "desktop",
    "commands": ["Restart", {"type": "GetLogs", "description": "Collects logs"}],
}


async def open_session(client: httpx.AsyncClient, **members: Any) -> dict[str, Any]:
    answer = await client.post("/sessions", json={**OPENING, **members})
    assert answer.status_code == 201, answer.text
    session: dict[str, Any] = answer.json()
    return session


async def test_opening_a_session_answers_it_with_a_token_for_its_further_requests(api: Api) -> None:
    user = await api.add_user("ann")

    answer = await user.post("/sessions", json=OPENING)

    assert answer.status_code == 201
    opened = answer.json()
    assert answer.headers["Location"] == f"/api/sessions/{opened['id']}"
    token, expires = opened.pop("token"), opened.pop("expiresIn")
    assert expires > 0
    assert opened == {
        **{name: OPENING[name] for name in ("version", "env", "region", "product", "commands")},
        "id": opened["id"],
        "user": "ann",
        "machine": opened["machine"],
        "started": "2026-01-01T00:00:00Z",
        "lastSeen": "2026-01-01T00:00:00Z",
        "ended": None,
        "active": True,
    }
    assert (await api.admin.get(f"/admin/sessions/{opened['id']}")).json() == opened
    bearer = api.client(headers={"Authorization": f"Bearer {token}"})
    assert (await bearer.get("/me")).json()["id"] == "ann"


async def test_a_client_that_reports_nothing_gets_a_session_too(api: Api) -> None:
    user = await api.add_user("ann")

    answer = await user.post("/sessions", json={"unknown": "member"})

    assert answer.status_code == 201
    assert (answer.json()["product"], answer.json()["version"], answer.json()["commands"]) == ("desktop", "", [])


async def test_wrong_openings_are_refused(api: Api) -> None:
    body: Any
    for body in (
        {"machine": []},
        {"version": 10},
        {"env": "a\nb"},
        {"region": "x" * 257},
        {"commands": "Restart"},
        {"commands": [7]},
        [],
    ):
        assert (await api.admin.post("/sessions", json=body)).status_code == 400, body
    assert (await api.admin.get("/admin/sessions")).json()["total"] == 0


async def test_a_machine_has_the_same_id_in_every_session(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")

    async def machine(client: httpx.AsyncClient, **info: Any) -> str:
        found: str = (await open_session(client, machine=info))["machine"]
        return found

    first = await machine(ann, name="DESK-7", os="Windows 11", memory=8)
    assert first.startswith("DESK-7-")
    assert await machine(bob, hostName="DESK-7", platform="Windows 11", memory=16) == first
    assert await machine(ann, name="DESK-7", os="Windows 12") != first
    assert await machine(ann, name="DESK-8", os="Windows 11") != first
    assert await machine(ann, id="own-id", name="A") == "own-id"
    assert await machine(bob, machineId="own-id", name="B") == "own-id"


@pytest.mark.rule("R-3-1")
async def test_heartbeats_keep_a_session_active_and_silence_does_not(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, sessionIdle=60), clock) as api:
        user = await api.add_user("ann")
        session = (await open_session(user))["id"]

        async def active() -> tuple[bool, int]:
            judged = (await api.admin.get(f"/admin/sessions/{session}")).json()["active"]
            listed = (await api.admin.get("/admin/sessions", params={"active": "true"})).json()["total"]
            return judged, listed

        clock.advance(60)
        assert await active() == (True, 1)
        clock.advance(1)
        assert await active() == (False, 0)
        touched = await user.patch(f"/sessions/{session}", json={})
        assert (touched.status_code, touched.json()["active"]) == (200, True)
        assert touched.json()["lastSeen"] == "2026-01-01T00:01:01Z"
        assert await active() == (True, 1)
        clock.advance(61)
        assert await active() == (False, 0)
        await user.get(f"/sessions/{session}/commands")
        assert await active() == (True, 1)
        await user.delete(f"/sessions/{session}")
        assert await active() == (False, 0)
        assert (await api.admin.get("/admin/sessions", params={"active": "false"})).json()["total"] == 1


async def test_a_heartbeat_may_be_empty_and_may_report_other_commands(api: Api) -> None:
    user = await api.add_user("ann")
    session = (await open_session(user))["id"]

    empty = await user.patch(f"/sessions/{session}")
    assert (empty.status_code, empty.json()["commands"]) == (200, OPENING["commands"])
    told = await user.patch(f"/sessions/{session}", json={"commands": ["StopApps"]})
    assert told.json()["commands"] == ["StopApps"]
    wrong: Any
    for wrong in ({"commands": 7}, []):
        assert (await user.patch(f"/sessions/{session}", json=wrong)).status_code == 400


@pytest.mark.rule("R-3-1")
async def test_closing_ends_the_session_and_its_token_and_may_be_repeated(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    opened = await open_session(user)
    bearer = api.client(headers={"Authorization": f"Bearer {opened['token']}"})
    clock.advance(5)

    assert (await bearer.delete(f"/sessions/{opened['id']}")).status_code == 204

    assert (await bearer.get("/me")).status_code == 401
    clock.advance(5)
    assert (await user.delete(f"/sessions/{opened['id']}")).status_code == 204
    ended = (await api.admin.get(f"/admin/sessions/{opened['id']}")).json()
    assert (ended["ended"], ended["active"]) == ("2026-01-01T00:00:05Z", False)


async def test_an_ended_session_takes_nothing_any_more(api: Api) -> None:
    user = await api.add_user("ann")
    session = (await open_session(user))["id"]
    await user.delete(f"/sessions/{session}")

    assert (await user.patch(f"/sessions/{session}", json={})).status_code == 409
    assert (await user.get(f"/sessions/{session}/commands")).status_code == 409


async def test_sessions_of_others_look_like_none_at_all(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    session = (await open_session(ann))["id"]

    for client in (bob, api.admin):
        for known in (session, "nothing"):
            assert (await client.patch(f"/sessions/{known}", json={})).status_code == 404
            assert (await client.delete(f"/sessions/{known}")).status_code == 404
            assert (await client.get(f"/sessions/{known}/commands")).status_code == 404
    assert (await api.admin.get(f"/admin/sessions/{session}")).json()["ended"] is None


async def test_administrators_end_sessions_of_others(api: Api) -> None:
    user = await api.add_user("ann")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:SESSIONS:READ")
    opened = await open_session(user)
    address = f"/admin/sessions/{opened['id']}"

    assert (await user.get("/admin/sessions")).status_code == 403
    assert (await reader.get(address)).status_code == 200
    assert (await reader.delete(address)).status_code == 403
    assert (await api.admin.delete(address)).status_code == 204
    bearer = api.client(headers={"Authorization": f"Bearer {opened['token']}"})
    assert (await bearer.get("/me")).status_code == 401
    for method in ("GET", "DELETE"):
        assert (await api.admin.request(method, "/admin/sessions/nothing")).status_code == 404


async def test_sessions_are_found_by_what_the_client_sent(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    await open_session(ann, machine={"id": "m1"})
    await open_session(bob, machine={"id": "m2"}, version="9.9", env="PROD", region="APAC", product="browser")

    async def found(**filters: str) -> list[str]:
        return [item["user"] for item in (await api.admin.get("/admin/sessions", params=filters)).json()["items"]]

    assert sorted(await found()) == ["ann", "bob"]
    for name, value in {"user": "bob", "machine": "m2", "version": "9.*", "env": "PROD", "region": "APAC"}.items():
        assert await found(**{name: value}) == ["bob"]
    assert await found(product="browser", user="ann") == []
    assert await found(q="m1") == ["ann"]
    assert (await api.admin.get("/admin/sessions", params={"active": "perhaps"})).status_code == 400
