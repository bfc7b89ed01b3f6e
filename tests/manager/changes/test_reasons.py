"""The comment and the ticket of changes: where they are recorded, what they may contain, and when they are required."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.audit.file import verify_lines
from rostrum.manager.config.values import _check_ticket_url
from tests.conftest import ORIGIN, Api, manager_config, running_api

COMMENT = "Größe geändert – 変更 100% ✓"
REASON = {"Change-Comment": quote(COMMENT), "Change-Ticket": "OPS-7"}
APP = {"name": "x", "type": "window", "details": {"url": "http://x.example"}}


@pytest.fixture
async def strict(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager that requires comments for apps and users."""
    config = manager_config(sqlite, changes={"commentRequired": ["app", "user"]})
    async with running_api(config, clock) as running:
        yield running


async def newest(api: Api) -> Any:
    return (await api.admin.get("/admin/audit", params={"limit": 1})).json()["items"][0]


async def add_app(api: Api, **members: Any) -> None:
    made = await api.admin.post("/admin/apps", json={"definition": {**APP, **members}}, headers=REASON)
    assert made.status_code == 201, made.text


async def test_a_reason_is_in_the_audit_the_history_and_the_export(api: Api) -> None:
    await add_app(api)

    entry = await newest(api)
    revision = (await api.admin.get("/admin/apps/x/revisions")).json()["items"][0]
    state = (await api.admin.get(f"/admin/apps/x/revisions/{revision['revision']}")).json()
    compared = (await api.admin.get("/admin/apps/x/revisions/compare")).json()["after"]
    lines = (await api.admin.get("/admin/audit/export")).text.splitlines(keepends=True)
    for one in (entry, revision, state, compared, json.loads(lines[-1])):
        assert (one["comment"], one["ticket"]) == (COMMENT, "OPS-7")
    assert verify_lines(lines).fault is None
    assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


async def test_deletions_rollbacks_and_records_without_revisions_have_reasons(api: Api) -> None:
    await add_app(api)
    revision = (await api.admin.get("/admin/apps/x")).json()["revision"]
    requests: list[tuple[str, str, Any]] = [
        ("DELETE", "/admin/apps/x", None),
        ("POST", "/admin/apps/x/rollback", {"revision": revision}),
        ("POST", "/admin/directories", {"user": "admin"}),
        ("POST", "/admin/imports/apps", {"applications": [{**APP, "name": "y"}]}),
    ]
    for number, (method, path, body) in enumerate(requests):
        headers = {"Change-Comment": f"step {number}", "Change-Ticket": f"T-{number}"}
        done = await api.admin.request(method, path, json=body, headers=headers)
        assert done.status_code < 300, done.text
        entry = await newest(api)
        assert (entry["comment"], entry["ticket"]) == (f"step {number}", f"T-{number}")
    # The reason of a request does not remain for the next one.
    await api.admin.delete("/admin/apps/x")
    assert "comment" not in await newest(api)


async def test_the_reason_of_a_batch_is_in_the_entry_of_each_document(api: Api) -> None:
    for user in ("ann", "bob"):
        await api.add_user(user)
    body = {"key": "k", "action": "disable", "ids": ["ann", "bob"]}
    started = await api.admin.post("/admin/batches/users", json=body, headers=REASON)
    assert (started.status_code, started.json()["comment"]) == (201, COMMENT)

    listed = (await api.admin.get("/admin/audit", params={"ticket": "OPS-7", "kind": "user"})).json()
    assert {entry["changes"][0]["id"] for entry in listed["items"]} == {"ann", "bob"}
    own = {**body, "key": "l", "action": "enable", "ticket": "OWN-1"}
    assert (await api.admin.post("/admin/batches/users", json=own, headers=REASON)).json()["ticket"] == "OWN-1"


async def test_entries_are_found_by_comment_and_ticket(api: Api) -> None:
    await add_app(api)
    await api.admin.delete("/admin/apps/x", headers={"Change-Ticket": "OPS-8", "Change-Comment": "clean up"})

    async def found(**query: str) -> list[str]:
        listed = (await api.admin.get("/admin/audit", params=query)).json()
        return [entry["operation"] for entry in listed["items"]]

    assert await found(ticket="OPS-7") == ["createApp"]
    assert await found(ticket="ops-*") == ["deleteApp", "createApp"]
    assert await found(comment="*変更*") == ["createApp"]
    assert await found(q="clean") == ["deleteApp"]
    assert await found(q="OPS-8") == ["deleteApp"]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Change-Comment", "a%0Ab"),
        ("Change-Comment", "%C2%85"),
        ("Change-Comment", "%E2%80%AE"),
        ("Change-Comment", "%FF"),
        ("Change-Comment", "%00"),
        ("Change-Comment", "x" * 257),
        ("Change-Comment", "%61" * 2000),
        ("Change-Ticket", "x" * 65),
        ("Change-Ticket", "%E2%80%A8"),
    ],
)
async def test_an_invalid_reason_is_refused_and_nothing_changes(api: Api, header: str, value: str) -> None:
    refused = await api.admin.post("/admin/apps", json={"definition": APP}, headers={header: value})

    assert refused.status_code == 400
    assert refused.json()["error"]["details"][0]["path"] in (header.lower(), header.lower().removeprefix("change-"))
    assert (await api.admin.get("/admin/apps/x")).status_code == 404


async def test_a_repeated_header_is_refused(api: Api) -> None:
    headers = [("Change-Comment", "a"), ("Change-Comment", "b")]
    assert (await api.admin.post("/admin/apps", json={"definition": APP}, headers=headers)).status_code == 400


async def test_other_operations_ignore_the_headers(api: Api) -> None:
    user = await api.add_user("ann")
    sent = {"app": "x", "data": {"a": 1}}
    assert (await user.post("/prefs", json=sent, headers={"Change-Comment": "%FF"})).status_code < 300
    assert "comment" not in await newest(api)


async def test_a_required_comment_is_demanded_for_its_kinds_only(strict: Api) -> None:
    refused = await strict.admin.post("/admin/apps", json={"definition": APP}, headers={"Change-Ticket": "OPS-7"})

    assert refused.status_code == 400
    assert refused.json()["error"]["details"] == [
        {"path": "comment", "message": "is required for changes of apps"},
    ]
    assert (await strict.admin.get("/admin/apps/x")).status_code == 404
    assert (await strict.admin.post("/admin/groups", json={"name": "g"})).status_code == 201
    await add_app(strict)
    assert (await strict.admin.get("/admin/change-rules")).json()["commentRequired"] == ["app", "user"]


async def test_a_required_comment_is_demanded_for_batches_and_not_for_own_data(strict: Api) -> None:
    made = await strict.admin.post(
        "/admin/users", json={"id": "ann", "password": "ann-password"}, headers={"Change-Comment": "new"}
    )
    assert made.status_code == 201
    body = {"key": "k", "action": "disable", "ids": ["ann"]}
    refused = await strict.admin.post("/admin/batches/users", json=body)
    assert (refused.status_code, refused.json()["error"]["details"][0]["path"]) == (400, "comment")
    assert (await strict.admin.get("/admin/batches/users")).json()["total"] == 0
    user = strict.client(("ann", "ann-password"))
    changed = await user.put("/me/password", json={"current": "ann-password", "new": "another-password"})
    assert changed.status_code < 300, changed.text
    started = await strict.admin.post("/admin/batches/users", json=body | {"comment": "leaver"})
    assert (started.status_code, started.json()["done"]) == (201, 1)


async def test_pages_of_other_origins_may_send_a_reason(sqlite: str, clock: SettableClock) -> None:
    cors = {"credentials": True, "origin": ORIGIN, "allowedHeaders": ["X-Desk"]}
    async with running_api(manager_config(sqlite, cors=cors), clock) as api:
        asked = {
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "change-comment, change-ticket",
        }
        assert (await api.client().options("/admin/apps", headers=asked)).status_code == 204


def test_the_address_of_tickets_cannot_lead_elsewhere() -> None:
    for good in ("", "https://t.example/browse/{ticket}", "http://t.example:81/?id={ticket}&x=1"):
        assert _check_ticket_url(good) == good
    for bad in (
        "https://t.example/browse",
        "javascript:alert('{ticket}')",
        "https://{ticket}.example/",
        "https://t.example{ticket}",
        "https://me:secret@t.example/{ticket}",
        "https://t.example/{ticket}/{ticket}",
        'https://t.example/"{ticket}',
        "//t.example/{ticket}",
    ):
        with pytest.raises(ValueError, match="must be an address"):
            _check_ticket_url(bad)
