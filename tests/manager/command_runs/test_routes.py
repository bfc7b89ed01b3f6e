"""Command runs through the API, with the background task of a real manager."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.manager.event_streams import Stream, basic, listening

RUNS = "/admin/commands/runs"


async def connect(api: Api, *users: str) -> dict[str, tuple[httpx.AsyncClient, str]]:
    """Users with a connected desktop each."""
    found = {}
    for user in users:
        client = await api.add_user(user, "Desk")
        session = (await client.post("/sessions", json={"machine": {"id": f"pc-{user}"}, "version": "10.2"})).json()
        found[user] = (client, session["id"])
    return found


async def answer(desktops: dict[str, tuple[httpx.AsyncClient, str]], status: str = "done") -> None:
    for client, session in desktops.values():
        for command in (await client.get(f"/sessions/{session}/commands")).json()["commands"]:
            url = f"/sessions/{session}/commands/{command['id']}/result"
            assert (await client.post(url, json={"status": status})).status_code == 204


async def eventually(api: Api, run: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Read the run until something holds of it."""
    async with asyncio.timeout(30):
        while True:
            found: dict[str, Any] = (await api.admin.get(f"{RUNS}/{run}")).json()
            if holds(found):
                return found
            await asyncio.sleep(0.1)


async def heard(api: Api, stream: Stream) -> None:
    """Wait for the event of the newest change, which concerns commands; events may be joined."""
    newest = (await api.admin.get("/admin/audit?limit=1&sort=-revision")).json()["items"][0]["revision"]
    last = await stream.event()
    while last.revision < newest:
        last = await stream.event()
    assert (last.name, last.revision) == ("commands", newest)


@pytest.mark.long
async def test_a_command_is_previewed_sent_in_waves_and_reported(api: Api) -> None:
    desktops = await connect(api, "ann", "bob", "cid", "dan")
    await api.add_user("eve", "Desk")
    body = {"command": "Restart", "target": {"groups": ["Desk"]}, "waves": ["1", "50%", "100%"]}

    preview = (await api.admin.post(f"{RUNS}/preview", json=body)).json()
    started = await api.admin.post(RUNS, json={**body, "key": "k", "comment": "the new version"})

    assert {**preview, "items": []} == {
        "total": 5,
        "ready": 4,
        "offline": 1,
        "unsupported": 0,
        "refused": 0,
        "waves": [1, 2, 2],
        "items": [],
    }
    assert [(item["user"], item["state"]) for item in preview["items"][:1]] == [("eve", "offline")]
    assert started.status_code == 201
    run = started.json()["id"]
    assert started.headers["Location"] == f"/api{RUNS}/{run}"
    assert started.json()["target"] == {"groups": ["Desk"], "users": [], "filter": None}
    found = await eventually(api, run, lambda run: run["sent"] == 1)
    assert (found["pending"], found["status"], found["wave"]) == (4, "running", 1)
    for done in (1, 3):
        await answer(desktops)
        await eventually(api, run, lambda run, done=done: run["done"] == done and run["sent"] > 0)  # type: ignore[misc]
    await answer(desktops, "failed")
    found = await eventually(api, run, lambda run: run["status"] == "done")
    assert (found["done"], found["failed"], found["offline"], found["total"]) == (3, 1, 1, 5)
    failed = (await api.admin.get(f"{RUNS}/{run}/targets", params={"state": "failed"})).json()
    assert failed["total"] == 1
    (target,) = failed["items"]
    assert target["session"] == desktops[target["user"]][1]
    assert (await api.admin.get(f"/admin/commands/{target['command']}")).json()["status"] == "failed"
    listed = (await api.admin.get(RUNS, params={"status": "done"})).json()
    assert [(item["id"], item["done"], item["waveCount"]) for item in listed["items"]] == [(run, 3, 3)]
    assert (await api.admin.get(RUNS, params={"status": "running"})).json()["total"] == 0


async def test_administrators_are_notified_of_progress_and_desktops_of_their_command_only(api: Api) -> None:
    desktops = await connect(api, "ann")
    await api.add_user("zoe")
    async with listening(api) as stream, listening(api, basic("zoe", "zoe-password")) as other:
        await stream.event()
        await other.event()
        body = {"key": "k", "command": "Restart", "target": {"users": ["ann"]}}
        run = (await api.admin.post(RUNS, json=body)).json()["id"]
        await eventually(api, run, lambda run: run["sent"] == 1)
        await heard(api, stream)
        await answer(desktops)
        await eventually(api, run, lambda run: run["status"] == "done")
        await heard(api, stream)
        await api.admin.patch("/admin/users/zoe", json={"groups": ["Desk"]})
        assert (await other.event()).name != "commands"


async def test_a_run_is_paused_continued_and_cancelled(api: Api) -> None:
    body = {"key": "k", "command": "Restart", "target": {"filter": {}}, "startAt": "2026-02-01T00:00:00Z"}
    run = (await api.admin.post(RUNS, json=body)).json()["id"]

    found = [(await api.admin.post(f"{RUNS}/{run}/{word}")).json() for word in ("pause", "continue", "cancel")]

    assert [each["status"] for each in found] == ["paused", "scheduled", "cancelled"]
    assert (await api.admin.post(f"{RUNS}/{run}/pause")).status_code == 409
    assert (await api.admin.get(f"{RUNS}/nothing")).status_code == 404


async def test_wrong_requests_are_refused_with_their_place(api: Api) -> None:
    async def paths(**members: Any) -> list[str]:
        body = {"key": "k", "command": "Restart", "target": {"filter": {}}, **members}
        refused = await api.admin.post(RUNS, json=body)
        assert refused.status_code == 400, refused.text
        return [detail["path"] for detail in refused.json()["error"]["details"]]

    assert await paths(waves=["many"]) == ["waves[0]"]
    assert await paths(waves=["101%"]) == ["waves[0]"]
    assert await paths(waves=["1"] * 21) == ["waves"]
    assert await paths(maxFailures="-1") == ["maxFailures"]
    assert await paths(pause=10**9) == ["pause"]
    assert await paths(startAt="soon") == ["startAt"]
    assert await paths(target={}) == ["target"]
    assert await paths(target={"filter": {"fields": {"colour": "red"}}}) == ["colour"]
