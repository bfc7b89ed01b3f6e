"""The dashboard: figures of many rows, each only for callers who may read the list that it links to."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid
from rostrum.manager.dashboard.model import Days
from tests.conftest import Api, manager_config, running_api

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}
WHY = {"Change-Comment": "Weekly release", "Change-Ticket": "OPS-7"}
DAY = 24 * 60 * 60


@pytest.fixture
async def firm(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each database in turn."""
    async with running_api(manager_config(store), clock) as running:
        yield running


async def read(client: httpx.AsyncClient, **query: str) -> Any:
    answer = await client.get("/admin/dashboard", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def total(api: Api, path: str, **query: str) -> int:
    answer = await api.admin.get(f"/admin/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["total"])


async def session(client: httpx.AsyncClient, version: str = "10.2") -> str:
    body = {"machine": {"name": "pc"}, "version": version}
    return str((await client.post("/sessions", json=body)).json()["id"])


async def crash(client: httpx.AsyncClient) -> None:
    assert (await client.post("/crashes", files={"ver": (None, "10.2")})).status_code == 200


def starts(first: str, *, days: int, hours: int = 24) -> str:
    beginning = datetime.fromisoformat(first)
    return ",".join((beginning + number * timedelta(hours=hours)).isoformat() for number in range(days))


async def test_an_empty_manager_has_no_problems(firm: Api) -> None:
    found = await read(firm.admin)
    attention = found["attention"]
    assert attention["failedCommands"]["count"] == attention["stoppedRuns"] == attention["proposals"] == 0
    assert attention["haltedRollouts"] == {"app": 0, "layout": 0, "config": 0}
    assert attention["expiringTokens"]["count"] == 0
    assert attention["outdated"]["apps"] == {"applied": 0, "pending": 0}
    assert len(found["days"]) == len(found["versions"]["counts"]) == len(found["crashes"]["counts"]) == 30
    assert found["versions"]["names"] == []
    assert sum(found["crashes"]["counts"]) == 0


async def test_sessions_and_crashes_are_counted_by_day_and_version(firm: Api, clock: SettableClock) -> None:
    ann = await firm.add_user("ann")
    for version in ("10.1", "10.1", "10.2"):
        await session(ann, version)
    await crash(ann)
    clock.advance(DAY)
    await session(ann, "10.2")
    await crash(ann)
    await crash(ann)
    found = await read(firm.admin)
    assert found["versions"]["names"] == ["10.1", "10.2"]
    assert found["versions"]["counts"][-2:] == [[2, 1], [0, 1]]
    assert found["versions"]["others"][-2:] == [0, 0]
    assert found["crashes"]["counts"][-2:] == [1, 2]
    yesterday = found["days"][-2][:10]
    assert await total(firm, "sessions", version="10.1", started=yesterday) == 2
    assert await total(firm, "crashes", received=yesterday) == 1


async def test_rare_versions_are_counted_together(firm: Api) -> None:
    ann = await firm.add_user("ann")
    for number in range(8):
        await session(ann, f"10.{number}")
    await session(ann, "10.7")
    versions = (await read(firm.admin))["versions"]
    assert versions["names"] == ["10.7", "10.0", "10.1", "10.2", "10.3", "10.4"]
    assert versions["counts"][-1] == [2, 1, 1, 1, 1, 1]
    assert versions["others"][-1] == 2


async def test_days_of_a_time_zone_with_a_change_of_the_clock(firm: Api, clock: SettableClock) -> None:
    # In Berlin, the clock is put back in the night of 25 October 2026: that day has 25 hours.
    berlin = [f"2026-10-{day}T22:00:00Z" for day in (22, 23, 24)] + [f"2026-10-{day}T23:00:00Z" for day in (25, 26)]
    ann = await firm.add_user("ann")
    for moment in ("24T21:59", "24T22:00", "25T22:30", "25T23:00", "27T10:00"):
        clock.advance((datetime.fromisoformat(f"2026-10-{moment}:00Z") - clock.now()).total_seconds())
        await session(ann)
    counts = (await read(firm.admin, days=",".join(berlin)))["versions"]["counts"]
    assert counts == [[0], [1], [2], [1], [1]]


@pytest.mark.parametrize(
    "text",
    ["", "today", "2026-11-15", starts("2026-11-15T00:00:00Z", days=63), starts("2026-11-15T00:00Z", days=2, hours=48)],
)
def test_days_must_be_consecutive_and_few(text: str) -> None:
    with pytest.raises(Invalid):
        Days.parse(text)


async def test_wrong_days_are_refused(firm: Api) -> None:
    answer = await firm.admin.get("/admin/dashboard", params={"days": "today"})
    assert answer.status_code == 400
    assert answer.json()["error"]["details"][0]["path"] == "days"


async def test_the_newest_changes_have_author_reason_and_document(firm: Api, clock: SettableClock) -> None:
    ann = await firm.add_user("ann")
    made = await firm.admin.post("/admin/apps", json={"definition": APP}, headers=WHY)
    # Layouts that users save on their desktops are no changes of administrators.
    layout = {"name": "mine", "type": "Global", "components": []}
    assert (await ann.post("/layouts", json={"layout": layout})).status_code < 300
    clock.advance(60)
    files = {"file": "system.json", "contents": {}}
    answer = await firm.admin.post("/admin/configs", json=files)
    assert answer.status_code == 201, answer.text
    newest, before, *_ = (await read(firm.admin))["changes"]
    assert newest["document"] == {
        "kind": "config",
        "id": answer.json()["id"],
        "name": "system.json",
        "action": "created",
    }
    assert (before["revision"], before["actor"]) == (made.json()["revision"], "admin")
    assert (before["comment"], before["ticket"], before["changed"]) == ("Weekly release", "OPS-7", 1)
    assert before["document"]["name"] == "blotter"
    assert await total(firm, "audit", revision=str(before["revision"])) == 1


async def test_a_change_of_many_documents_is_one_change(firm: Api) -> None:
    for name in ("a", "b", "c"):
        await firm.add_user(name)
    body = {"action": "disable", "ids": ["a", "b", "c"], "key": "k"}
    answer = await firm.admin.post("/admin/batches/users", json=body)
    assert answer.status_code in (200, 201, 202), answer.text
    newest = (await read(firm.admin))["changes"][0]
    assert (newest["changed"], newest["document"]["kind"]) == (3, "user")


async def test_crashes_since_the_last_change(firm: Api, clock: SettableClock) -> None:
    ann = await firm.add_user("ann")
    await crash(ann)
    before = (await read(firm.admin))["crashes"]["changes"][-1]
    clock.advance(60)
    await firm.admin.post("/admin/apps", json={"definition": APP})
    clock.advance(60)
    await crash(ann)
    # A new user is not the cause of a crash.
    await firm.add_user("bob")
    found = await read(firm.admin)
    crashes = found["attention"]["crashes"]
    assert crashes["count"] == await total(firm, "crashes", received=f"{crashes['since']}..") == 1
    assert found["crashes"]["changes"][-1] == before + 1


async def test_desktops_with_outdated_content(firm: Api) -> None:
    ann, bob = await firm.add_user("ann"), await firm.add_user("bob")
    sessions = [await session(ann), await session(bob)]
    made = await firm.admin.post("/admin/apps", json={"definition": APP, "public": True})
    outdated = (await read(firm.admin))["attention"]["outdated"]
    assert outdated["apps"] == {"applied": 0, "pending": 2}
    await bob.patch(f"/sessions/{sessions[1]}", json={"applied": {"apps": made.json()["revision"]}})
    outdated = (await read(firm.admin))["attention"]["outdated"]
    assert outdated["apps"] == {"applied": 1, "pending": 1}
    assert outdated["systemConfig"] == {"applied": 2, "pending": 0}
    assert await total(firm, "sessions", active="true", outdated="apps") == 1
    listed = (await firm.admin.get("/admin/sessions", params={"outdated": "apps"})).json()["items"]
    assert [one["user"] for one in listed] == ["ann"]
    assert (await firm.admin.get("/admin/sessions", params={"outdated": "x"})).status_code == 400


async def test_failed_commands_and_tokens_that_expire_soon(firm: Api, clock: SettableClock) -> None:
    ann = await firm.add_user("ann")
    desk = await session(ann)
    await ann.patch(f"/sessions/{desk}", json={"commands": [{"name": "restart"}]})
    for status in ("failed", "done"):
        sent = await firm.admin.post("/admin/commands", json={"sessions": [desk], "command": "restart"})
        assert sent.status_code == 201, sent.text
        await ann.get(f"/sessions/{desk}/commands")
        command = sent.json()["items"][0]["id"]
        answer = await ann.post(f"/sessions/{desk}/commands/{command}/result", json={"status": status})
        assert answer.status_code < 300, answer.text
    for days in (3, 60):
        await firm.admin.post("/me/tokens", json={"name": f"t{days}", "expiresInDays": days})
    attention = (await read(firm.admin))["attention"]
    failed, expiring = attention["failedCommands"], attention["expiringTokens"]
    assert failed["count"] == await total(firm, "commands", status="failed", created=f"{failed['since']}..") == 1
    period = f"{expiring['since']}..{expiring['until']}"
    assert expiring["count"] == await total(firm, "tokens", expires=period) == 1
    clock.advance(8 * DAY)
    assert (await read(firm.admin))["attention"]["failedCommands"]["count"] == 0


async def test_proposals_are_counted_for_those_who_can_decide(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite), clock) as api:
        await api.add_user("ann", "PLATFORM_SERVER_ADMIN")
        await api.add_user("eve", "PLATFORM_MANAGER:APPS:READ")
    async with running_api(manager_config(sqlite, changes={"approvalKinds": ["app"]}), clock) as api:
        proposed = await api.admin.post("/admin/apps", json={"definition": APP})
        assert proposed.status_code == 202
        ann, eve = (api.client((name, f"{name}-password")) for name in ("ann", "eve"))
        counts = [(await read(client))["attention"]["proposals"] for client in (api.admin, ann, eve)]
        assert counts == [0, 1, 0]
        for client, count in zip((api.admin, ann, eve), counts, strict=True):
            listed = await client.get("/admin/proposals", params={"decision": "mine"})
            assert listed.json()["total"] == count
        assert (await ann.get("/admin/proposals", params={"decision": "yours"})).status_code == 400


async def test_each_part_requires_the_permission_to_read_its_list(firm: Api) -> None:
    await firm.admin.post("/admin/apps", json={"definition": APP})
    nobody = await read(await firm.add_user("nobody"))
    assert nobody["changes"] == []
    assert nobody["versions"] is nobody["crashes"] is None
    assert nobody["attention"] == {
        "failedCommands": None,
        "stoppedRuns": None,
        "haltedRollouts": {"app": None, "layout": None, "config": None},
        "proposals": 0,
        "crashes": None,
        "outdated": None,
        "expiringTokens": None,
    }
    crashes = await read(await firm.add_user("cara", "PLATFORM_MANAGER:CRASHES:READ"))
    assert crashes["crashes"] is not None
    # The time of a change of an app is only for those who may read apps.
    assert crashes["attention"]["crashes"] is None
    assert sum(crashes["crashes"]["changes"]) == 0
    apps = await read(await firm.add_user("app", "PLATFORM_MANAGER:APPS:READ"))
    assert [change["document"]["kind"] for change in apps["changes"]] == ["app"]
    assert apps["attention"]["haltedRollouts"] == {"app": 0, "layout": None, "config": None}


def test_the_last_days_in_utc() -> None:
    days = Days.until(datetime(2026, 11, 17, 19, 30, tzinfo=UTC))
    assert (days.starts[0].day, days.starts[-1]) == (19, datetime(2026, 11, 17, tzinfo=UTC))
    assert len(days.each()) == 30
