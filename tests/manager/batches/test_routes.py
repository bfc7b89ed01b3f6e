"""Batches over HTTP, on every database."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api
from tests.tables import add_content

ADMINS = "PLATFORM_SERVER_ADMIN"
USERS_WRITE = "PLATFORM_MANAGER:USERS:WRITE"


@pytest.fixture
async def firm(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager with the users u0 to u4 in a group."""
    await add_content(store, "five users", add_users)
    async with running_api(manager_config(store), clock) as api:
        yield api


async def add_users(store: str) -> None:
    async with running_api(manager_config(store), SettableClock()) as api:
        for number in range(5):
            answer = await api.admin.post("/admin/users", json={"id": f"u{number}", "groups": ["Desk"]})
            assert answer.status_code == 201, answer.text


async def start(client: httpx.AsyncClient, kind: str = "users", key: str = "key-1", **body: Any) -> httpx.Response:
    return await client.post(f"/admin/batches/{kind}", json={"key": key, **body})


async def targets(client: httpx.AsyncClient, batch: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    answer = await client.get(
        f"/admin/batches/{batch['kind']}s/{batch['id']}/targets", params={"limit": 1000, **wanted}
    )
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


async def users(api: Api, **wanted: Any) -> dict[str, dict[str, Any]]:
    answer = await api.admin.get("/admin/users", params={"limit": 1000, **wanted})
    return {user["id"]: user for user in answer.json()["items"]}


async def ended(api: Api, batch: dict[str, Any]) -> dict[str, Any]:
    """Wait until a batch has ended."""
    async with asyncio.timeout(60):
        while batch["status"] == "running":
            await asyncio.sleep(0.01)
            batch = (await api.admin.get(f"/admin/batches/users/{batch['id']}")).json()
    return batch


async def test_a_batch_disables_users_in_one_revision(firm: Api) -> None:
    answer = await start(firm.admin, action="disable", ids=["u1", "u3", "nobody", "u1"], comment="left", ticket="HR-7")

    assert answer.status_code == 201, answer.text
    batch = answer.json()
    assert answer.headers["Location"] == f"/api/admin/batches/users/{batch['id']}"
    assert (batch["status"], batch["total"], batch["done"], batch["refused"]) == ("done", 3, 2, 1)
    assert await targets(firm.admin, batch) == [
        {"id": "u1", "result": "done", "message": None},
        {"id": "u3", "result": "done", "message": None},
        {"id": "nobody", "result": "refused", "message": "there is no user 'nobody'"},
    ]
    assert await targets(firm.admin, batch, result="refused") == [
        {"id": "nobody", "result": "refused", "message": "there is no user 'nobody'"}
    ]
    found = await users(firm)
    assert [name for name, user in found.items() if user["disabled"]] == ["u1", "u3"]
    assert found["u1"]["revision"] == found["u3"]["revision"]
    assert found["u1"]["modifiedBy"] == "admin"


async def test_history_and_audit_have_one_entry_for_each_document_joined_by_the_batch(firm: Api) -> None:
    batch = (await start(firm.admin, action="disable", ids=["u1", "u3"], comment="left", ticket="HR-7")).json()

    entries = (await firm.admin.get("/admin/audit", params={"batch": batch["id"], "sort": "number"})).json()["items"]
    assert [[change["id"] for change in entry["changes"]] for entry in entries] == [["u1"], ["u3"], [batch["id"]]]
    assert entries[0]["batch"] == {"id": batch["id"], "comment": "left", "ticket": "HR-7"}
    assert entries[0]["changes"][0]["diff"] == [{"op": "replace", "path": "/disabled", "before": False, "after": True}]
    assert entries[0]["operation"] == "startUserBatch"
    revision = (await firm.admin.get("/admin/users/u1/revisions")).json()["items"][0]["revision"]
    document = (await firm.admin.get(f"/admin/users/u1/revisions/{revision}")).json()
    assert document["batch"] == batch["id"]
    assert (await firm.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_a_repeated_request_starts_nothing(firm: Api) -> None:
    first = (await start(firm.admin, action="addToGroups", arguments={"groups": ["New"]}, ids=["u1"])).json()
    await firm.admin.patch("/admin/users/u1", json={"groups": []})

    again = await start(firm.admin, action="addToGroups", arguments={"groups": ["New"]}, ids=["u1"])
    other = await start(firm.admin, action="addToGroups", arguments={"groups": ["New"]}, ids=["u2"])

    assert again.status_code == 201
    assert again.json() == first
    assert (await users(firm))["u1"]["groups"] == []
    assert other.status_code == 409
    assert (await users(firm))["u2"]["groups"] == ["Desk"]


async def test_requests_repeated_at_the_same_time_start_one_batch(firm: Api) -> None:
    answers = await asyncio.gather(*(start(firm.admin, action="disable", ids=["u1", "u2"]) for _ in range(5)))

    assert len({answer.json()["id"] for answer in answers}) == 1
    history = (await firm.admin.get("/admin/users/u1/revisions")).json()
    assert history["total"] == 2


async def test_two_administrators_can_use_the_same_key(firm: Api) -> None:
    other = await firm.add_user("eve", ADMINS)

    first, second = await asyncio.gather(
        start(firm.admin, action="addToGroups", arguments={"groups": ["A"]}, ids=["u1", "u2"]),
        start(other, action="addToGroups", arguments={"groups": ["B"]}, ids=["u1", "u2"]),
    )

    assert first.json()["done"] == second.json()["done"] == 2
    assert (await users(firm))["u1"]["groups"] == ["A", "B", "Desk"]


async def test_groups_and_apps_are_added_and_removed(firm: Api) -> None:
    await firm.admin.post(
        "/admin/apps", json={"definition": {"name": "calc", "type": "window", "details": {"url": "https://a.example"}}}
    )
    everyone = [f"u{number}" for number in range(5)]

    for key, (action, arguments) in enumerate(
        [
            ("addToGroups", {"groups": ["Desk", "Risk"]}),
            ("removeFromGroups", {"groups": ["Desk"]}),
            ("grantApps", {"apps": ["calc"]}),
        ]
    ):
        answer = await start(firm.admin, key=str(key), action=action, arguments=arguments, ids=everyone)
        assert answer.json()["done"] == 5, answer.text
    again = await start(firm.admin, key="again", action="grantApps", arguments={"apps": ["calc"]}, ids=everyone)

    assert again.json()["unchanged"] == 5
    found = await users(firm)
    assert {tuple(found[name]["groups"]) for name in everyone} == {("Risk",)}
    assert {tuple(found[name]["apps"]) for name in everyone} == {("calc",)}
    assert (await firm.admin.get("/admin/groups/Risk")).json()["members"] == 5
    revoked = await start(firm.admin, key="r", action="revokeApps", arguments={"apps": ["calc"]}, ids=["u0"])
    assert revoked.json()["done"] == 1
    assert (await users(firm))["u0"]["apps"] == []


async def test_a_disabled_user_is_signed_out(firm: Api) -> None:
    ann = await firm.add_user("ann")
    assert (await ann.get("/me")).status_code == 200

    await start(firm.admin, action="disable", ids=["ann"])
    assert (await ann.get("/me")).status_code == 401
    await start(firm.admin, key="key-2", action="enable", ids=["ann"])
    assert (await ann.get("/me")).status_code == 200


async def test_users_are_deleted_with_what_belongs_to_them(firm: Api) -> None:
    layout = {"definition": {"name": "Mine", "type": "Global", "components": []}, "owner": "u1"}
    assert (await firm.admin.post("/admin/layouts", json=layout)).status_code == 201

    batch = (await start(firm.admin, action="delete", ids=["u1", "admin", "u2"])).json()

    assert (batch["done"], batch["refused"]) == (2, 1)
    assert [each["message"] for each in await targets(firm.admin, batch, result="refused")] == [
        "you cannot delete yourself: ask another administrator"
    ]
    assert set(await users(firm)) == {"admin", "u0", "u3", "u4"}
    assert (await firm.admin.get("/admin/layouts")).json()["total"] == 0
    assert (await firm.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_administrators_cannot_shut_themselves_out(firm: Api) -> None:
    disabled = (await start(firm.admin, key="a", action="disable", ids=["admin", "u1"])).json()
    taken = (
        await start(firm.admin, key="b", action="removeFromGroups", arguments={"groups": [ADMINS]}, ids=["admin"])
    ).json()

    assert (disabled["done"], disabled["refused"], taken["refused"]) == (1, 1, 1)
    assert (await firm.admin.get("/me")).status_code == 200


async def test_a_delegated_administrator_changes_only_users_without_further_rights(firm: Api) -> None:
    helper = await firm.add_user("helper", USERS_WRITE)
    await firm.add_user("boss", ADMINS)

    preview = (
        await helper.post("/admin/batches/users/preview", json={"action": "disable", "ids": ["boss", "u1"]})
    ).json()
    batch = (await start(helper, action="disable", ids=["boss", "u1"])).json()
    risen = (await start(helper, key="k", action="addToGroups", arguments={"groups": [ADMINS]}, ids=["u2"])).json()

    assert (preview["done"], preview["refused"]) == (1, 1)
    assert (batch["done"], batch["refused"]) == (1, 1)
    assert risen["refused"] == 1
    assert ADMINS in (await targets(firm.admin, risen))[0]["message"]
    assert not (await users(firm))["boss"]["disabled"]
    assert (await start(helper, kind="apps", action="disable", ids=["x"])).status_code == 403
    assert (await helper.get("/admin/batches/apps")).status_code == 403


async def test_a_preview_changes_nothing(firm: Api) -> None:
    before = await users(firm)

    disabled = await firm.admin.post("/admin/batches/users/preview", json={"action": "disable", "ids": ["u1", "gone"]})
    deleted = await firm.admin.post("/admin/batches/users/preview", json={"action": "delete", "ids": ["u1", "admin"]})

    assert disabled.json() == {
        "total": 2,
        "done": 1,
        "unchanged": 0,
        "refused": 1,
        "transactions": 1,
        "refusals": [{"message": "there is no user 'gone'", "count": 1}],
        "items": [
            {"id": "gone", "result": "refused", "message": "there is no user 'gone'"},
            {"id": "u1", "result": "done", "message": None},
        ],
    }
    assert (deleted.json()["done"], deleted.json()["refused"]) == (1, 1)
    assert await users(firm) == before
    assert (await firm.admin.get("/admin/batches/users")).json()["total"] == 0


async def test_a_filter_selects_the_documents_that_the_list_shows(firm: Api) -> None:
    body: dict[str, Any] = {"action": "disable", "filter": {"q": "u", "fields": {"group": "Desk"}}, "count": 5}
    preview = (await firm.admin.post("/admin/batches/users/preview", json=body)).json()
    changed = await start(firm.admin, **{**body, "count": 4})
    batch = (await start(firm.admin, key="key-2", **body)).json()

    fewer = {**body, "filter": {"fields": {"group": "Desk"}, "exclude": ["u0", "other"]}, "count": 4}
    excluded = (await firm.admin.post("/admin/batches/users/preview", json=fewer)).json()

    assert preview["done"] == 5
    assert [item["id"] for item in excluded["items"]] == ["u1", "u2", "u3", "u4"]
    assert changed.status_code == 409
    assert "5 documents match the filter now, and 4 matched" in changed.text
    assert batch["done"] == 5
    assert not (await users(firm))["admin"]["disabled"]


async def test_a_document_that_has_changed_since_it_was_selected_is_refused(firm: Api) -> None:
    revisions = {name: user["revision"] for name, user in (await users(firm)).items()}
    await firm.admin.patch("/admin/users/u1", json={"email": "new@example.com"})

    batch = (await start(firm.admin, action="disable", ids=["u1", "u2"], revisions=revisions)).json()

    assert (batch["done"], batch["refused"]) == (1, 1)
    assert (await users(firm))["u1"]["disabled"] is False


INVALID: list[dict[str, Any]] = [
    {},
    {"action": "explode", "ids": ["u1"]},
    {"action": "disable"},
    {"action": "disable", "ids": []},
    {"action": "disable", "ids": "u1"},
    {"action": "disable", "ids": [1]},
    {"action": "disable", "ids": [""]},
    {"action": "disable", "ids": ["u1"], "filter": {}},
    {"action": "disable", "filter": {}},
    {"action": "disable", "filter": {"fields": {"nonsense": "1"}}, "count": 5},
    {"action": "disable", "filter": {"fields": {"disabled": "perhaps"}}, "count": 5},
    {"action": "disable", "ids": ["u1"], "arguments": {"groups": ["a"]}},
    {"action": "addToGroups", "ids": ["u1"]},
    {"action": "addToGroups", "ids": ["u1"], "arguments": {"groups": ["PLATFORM_MANAGER:NONSENSE"]}},
    {"action": "grantApps", "ids": ["u1"], "arguments": {"apps": ["no such app"]}},
    {"action": "disable", "ids": ["u1"], "revisions": {"u1": "1"}},
    {"action": "disable", "ids": ["u1"], "comment": "x" * 300},
    {"action": "disable", "ids": ["u1"], "key": "a key"},
    {"action": "disable", "ids": [f"u{number}" for number in range(20_001)]},
]


@pytest.mark.long
async def test_invalid_requests_change_nothing(firm: Api) -> None:
    before = await users(firm)

    for body in INVALID:
        answer = await firm.admin.post("/admin/batches/users", json={"key": "key-1", **body})
        assert answer.status_code == 400, (str(body)[:80], answer.text)
        assert await users(firm) == before, str(body)[:80]
        assert (await firm.admin.get("/admin/batches/users")).json()["total"] == 0, str(body)[:80]


async def test_batches_are_listed_newest_first(firm: Api, clock: SettableClock) -> None:
    first = (await start(firm.admin, key="1", action="disable", ids=["u1"], ticket="A-1")).json()
    clock.advance(1)
    second = (await start(firm.admin, key="2", action="enable", ids=["u1"])).json()

    found = (await firm.admin.get("/admin/batches/users")).json()
    filtered = (await firm.admin.get("/admin/batches/users", params={"ticket": "A-1"})).json()

    assert [batch["id"] for batch in found["items"]] == [second["id"], first["id"]]
    assert [batch["id"] for batch in filtered["items"]] == [first["id"]]
    assert (await firm.admin.get(f"/admin/batches/apps/{first['id']}")).status_code == 404
    assert (await firm.admin.get("/admin/batches/users/nothing/targets")).status_code == 404


async def test_a_large_batch_continues_in_the_background(firm: Api) -> None:
    ids = [f"u{number}" for number in range(2500)]

    answer = await start(firm.admin, action="disable", ids=ids)

    assert answer.status_code == 201
    assert answer.json()["status"] == "running"
    batch = await ended(firm, answer.json())
    assert (batch["status"], batch["total"], batch["done"], batch["refused"]) == ("done", 2500, 5, 2495)
    assert (await firm.admin.post(f"/admin/batches/users/{batch['id']}/resume")).status_code == 409
    assert (await firm.admin.post(f"/admin/batches/users/{batch['id']}/cancel")).status_code == 409
    assert (await firm.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_apps_and_layouts_are_shared_disabled_and_deleted(firm: Api) -> None:
    for name in ("a", "b"):
        definition = {"name": name, "type": "window", "details": {"url": "https://a.example"}}
        await firm.admin.post("/admin/apps", json={"definition": definition, "accessList": ["Desk"]})

    granted = (
        await start(firm.admin, "apps", "1", action="grant", arguments={"groups": ["Risk"]}, ids=["a", "b"])
    ).json()
    revoked = (await start(firm.admin, "apps", "2", action="revoke", arguments={"groups": ["Desk"]}, ids=["a"])).json()
    disabled = (await start(firm.admin, "apps", "3", action="disable", ids=["a", "b", "c"])).json()
    deleted = (await start(firm.admin, "apps", "4", action="delete", ids=["b"])).json()

    assert [batch["done"] for batch in (granted, revoked, disabled, deleted)] == [2, 1, 2, 1]
    apps = (await firm.admin.get("/admin/apps")).json()["items"]
    assert [(app["definition"]["name"], app["accessList"], app["disabled"]) for app in apps] == [("a", ["Risk"], True)]
    assert (await firm.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_a_group_with_configuration_files_is_not_deleted(firm: Api) -> None:
    for name in ("A", "B"):
        await firm.admin.post("/admin/groups", json={"name": name})
    config = {"file": "system.json", "group": "A", "contents": {}}
    assert (await firm.admin.post("/admin/configs", json=config)).status_code == 201

    batch = (await start(firm.admin, "groups", action="delete", ids=["A", "B", "Desk", ADMINS])).json()

    assert (batch["done"], batch["refused"]) == (2, 2)
    assert (await users(firm))["u1"]["groups"] == []
    groups = [group["name"] for group in (await firm.admin.get("/admin/groups")).json()["items"]]
    assert "A" in groups
    assert "B" not in groups


async def test_configs_layouts_and_preferences_are_deleted(firm: Api) -> None:
    made = {
        "configs": {"file": "system.json", "contents": {}},
        "layouts": {"definition": {"name": "L", "type": "Global", "components": []}, "owner": "*"},
        "prefs": {"user": "u1", "app": "calc", "data": {}},
    }
    for path, body in made.items():
        document = await firm.admin.post(f"/admin/{path}", json=body)
        assert document.status_code == 201, document.text

        batch = await start(firm.admin, path, key=path, action="delete", ids=[document.json()["id"]])

        assert batch.json()["done"] == 1, batch.text
        assert (await firm.admin.get(f"/admin/{path}")).json()["total"] == 0


async def make_records(api: Api) -> dict[str, list[str]]:
    """Two records of each kind without revisions, by the names of their lists."""
    made: dict[str, list[str]] = {"sessions": [], "crashes": [], "feedback": [], "directories": []}
    for number in range(2):
        body = {"machine": {"name": f"DESK-{number}"}, "commands": ["Refresh"]}
        opened = await api.admin.post("/sessions", json=body)
        made["sessions"].append(opened.json()["id"])
        command = {"session": opened.json()["id"], "command": "Refresh"}
        assert (await api.admin.post("/admin/commands", json=command)).is_success
        fields = {"_productName": (None, "desktop"), "_version": (None, f"10.{number}")}
        crash = await api.admin.post("/crashes", files=fields)
        made["crashes"].append(crash.text)
        feedback = await api.admin.post("/feedback", files={"description": (None, f"message {number}")})
        made["feedback"].append(feedback.json()["id"])
        directory = await api.admin.post("/admin/directories", json={"user": "u1", "description": f"agent {number}"})
        made["directories"].append(directory.json()["id"])
    for kind in ("machines", "commands"):
        made[kind] = [each["id"] for each in (await api.admin.get(f"/admin/{kind}")).json()["items"]]
    return made


@pytest.mark.long
async def test_records_without_revisions_are_ended_deleted_and_revoked(firm: Api) -> None:
    made = await make_records(firm)
    actions = {"sessions": "end", "directories": "revoke"}
    for kind, ids in made.items():
        assert len(ids) == 2, kind
        body = {"action": actions.get(kind, "delete"), "ids": [ids[0], "nothing"]}
        preview = (await firm.admin.post(f"/admin/batches/{kind}/preview", json=body)).json()
        assert (preview["done"], preview["refused"]) == (1, 1), preview

        before = (await firm.admin.get(f"/admin/{kind}")).json()["total"]
        batch = await start(firm.admin, kind, key=kind, **body)
        assert (batch.json()["done"], batch.json()["refused"]) == (1, 1), batch.text

        after = (await firm.admin.get(f"/admin/{kind}")).json()
        assert before - after["total"] == (0 if kind == "sessions" else 1), kind
        found = {each["id"]: each for each in after["items"]}
        assert ids[1] in found
        if kind == "sessions":
            assert found[ids[0]]["ended"] is not None
            assert found[ids[1]]["ended"] is None
        entries = (await firm.admin.get("/admin/audit", params={"batch": batch.json()["id"]})).json()["items"]
        assert ids[0] in {change["id"] for entry in entries for change in entry["changes"]}, entries

    again = await start(firm.admin, "sessions", key="again", action="end", ids=made["sessions"])
    assert (again.json()["done"], again.json()["unchanged"]) == (1, 1)


async def test_the_filter_of_active_sessions_leaves_out_silent_and_ended_ones(firm: Api, clock: SettableClock) -> None:
    silent = (await firm.admin.post("/sessions", json={"machine": {"name": "DESK-1"}, "version": "10.1"})).json()["id"]
    clock.advance(24 * 3600)
    active = (await firm.admin.post("/sessions", json={"machine": {"name": "DESK-2"}, "version": "10.1"})).json()["id"]
    body = {"action": "end", "filter": {"fields": {"active": "true", "version": "10.1"}}}
    preview = (await firm.admin.post("/admin/batches/sessions/preview", json=body)).json()
    assert [item["id"] for item in preview["items"]] == [active]
    for value, status in (("1", 200), ("True", 200), ("garbage", 400)):
        tried = {"action": "end", "filter": {"fields": {"active": value, "version": "10.1"}}}
        answered = await firm.admin.post("/admin/batches/sessions/preview", json=tried)
        assert answered.status_code == status
        if status == 200:
            assert answered.json()["items"] == preview["items"]
        else:
            assert answered.json()["error"]["details"][0]["path"] == "filter.fields.active"
    batch = await start(firm.admin, "sessions", key="active", count=1, **body)
    assert batch.json()["done"] == 1, batch.text
    sessions = {each["id"]: each for each in (await firm.admin.get("/admin/sessions")).json()["items"]}
    assert (sessions[silent]["ended"], sessions[active]["ended"] is None) == (None, False)


async def test_a_batch_of_records_needs_the_permission_of_its_kind(firm: Api) -> None:
    made = await make_records(firm)
    clerk = await firm.add_user("clerk", "PLATFORM_MANAGER:MACHINES:WRITE")
    refused = await start(clerk, "sessions", action="end", ids=made["sessions"])
    assert refused.status_code == 403
    done = await start(clerk, "machines", action="delete", ids=made["machines"])
    assert done.json()["done"] == 2, done.text


async def test_an_ended_session_signs_the_desktop_out(firm: Api) -> None:
    opened = (await firm.admin.post("/sessions", json={"machine": {"name": "DESK-1"}})).json()
    batch = await start(firm.admin, "sessions", action="end", ids=[opened["id"]])
    assert batch.json()["done"] == 1
    assert (await firm.admin.patch(f"/sessions/{opened['id']}", json={})).status_code == 409
