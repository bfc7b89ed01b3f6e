"""Changes that require the approval of a second administrator."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

APP = {"name": "x", "type": "window", "details": {"url": "http://x.example"}}
RIGHTS = [f"PLATFORM_MANAGER:{kind}:{right}" for kind in ("APPS", "USERS") for right in ("READ", "WRITE")]
WHY = {"Change-Comment": "because", "Change-Ticket": "OPS-7"}


async def running(store: str, clock: SettableClock, **changes: Any) -> AsyncIterator[Api]:
    async with running_api(manager_config(store), clock) as first:
        for user in ("ann", "bob"):
            await first.add_user(user, "PLATFORM_SERVER_ADMIN")
        await first.add_user("eve")
        await first.add_user("dan", *RIGHTS)
    # Nobody has made both administrators recently.
    clock.advance(86_401)
    async with running_api(manager_config(store, changes=changes), clock) as api:
        yield api
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


@pytest.fixture
async def firm(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on which changes of apps and users require approval; ann and bob are administrators."""
    async for api in running(sqlite, clock, approvalKinds=["app", "user"]):
        yield api


@pytest.fixture
async def desk(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on which changes that concern the group Trading require approval."""
    async for api in running(sqlite, clock, approvalKinds=["app", "user", "config"], approvalGroups=["Trading"]):
        yield api


def person(api: Api, name: str) -> httpx.AsyncClient:
    return api.client((name, f"{name}-password"))


async def proposed(answer: httpx.Response) -> str:
    assert answer.status_code == 202, answer.text
    proposal = answer.json()["proposal"]
    assert answer.headers["location"].endswith(f"/admin/proposals/{proposal['id']}")
    return str(proposal["id"])


async def decide(client: httpx.AsyncClient, proposal: str, word: str, comment: str = "") -> httpx.Response:
    return await client.post(f"/admin/proposals/{proposal}/{word}", headers={"Change-Comment": comment})


async def test_a_change_is_made_when_a_second_administrator_approves(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    proposal = await proposed(await ann.post("/admin/apps", json={"definition": APP}, headers=WHY))
    assert (await ann.get("/admin/apps/x")).status_code == 404
    (listed,) = (await bob.get("/admin/proposals", params={"status": "pending"})).json()["items"]
    assert (listed["createdBy"], listed["comment"], listed["ticket"]) == ("ann", "because", "OPS-7")
    shown = (await bob.get(f"/admin/proposals/{proposal}")).json()["changes"][0]
    assert (shown["kind"], shown["id"], shown["action"], shown["outdated"]) == ("app", "x", "created", False)

    own = await decide(ann, proposal, "approve")
    assert (own.status_code, "own proposal" in own.json()["error"]["message"]) == (403, True)
    approved = await decide(bob, proposal, "approve", "looks good")
    assert approved.status_code == 200, approved.text

    app = (await bob.get("/admin/apps/x")).json()
    assert (app["createdBy"], app["revision"]) == ("ann", approved.json()["revision"])
    entry = (await bob.get("/admin/audit", params={"limit": 1})).json()["items"][0]
    assert entry["approval"] == {"proposal": proposal, "author": "ann", "approver": "bob", "comment": "looks good"}
    assert (entry["actor"], entry["comment"], entry["operation"]) == ("bob", "because", "approveProposal")
    revision = (await bob.get("/admin/apps/x/revisions")).json()["items"][0]
    assert (revision["actor"], revision["ticket"]) == ("ann", "OPS-7")
    again = await decide(bob, proposal, "approve")
    assert (again.status_code, "already approved by bob" in again.json()["error"]["message"]) == (409, True)


async def test_a_rejected_or_withdrawn_proposal_changes_nothing(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    first = await proposed(await ann.patch("/admin/users/eve", json={"email": "e@example.com"}))
    second = await proposed(await ann.delete("/admin/users/eve"))
    rejected = await decide(bob, first, "reject", "not now")
    assert (rejected.json()["status"], rejected.json()["decision"]) == ("rejected", "not now")
    assert (await decide(ann, second, "reject")).json()["decidedBy"] == "ann"
    assert (await ann.get("/admin/users/eve")).json()["email"] is None
    assert (await decide(bob, first, "approve")).status_code == 409


@pytest.mark.long
async def test_a_document_that_has_changed_since_is_not_overwritten(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    first = await proposed(await ann.patch("/admin/users/eve", json={"email": "a@example.com"}))
    second = await proposed(await ann.patch("/admin/users/eve", json={"displayName": "Eve"}))
    assert (await decide(bob, second, "approve")).status_code == 200
    assert (await bob.get(f"/admin/proposals/{first}")).json()["changes"][0]["outdated"] is True

    refused = await decide(bob, first, "approve")

    assert (refused.status_code, "has changed since the proposal" in refused.text) == (409, True)
    user = (await bob.get("/admin/users/eve")).json()
    assert (user["displayName"], user["email"]) == ("Eve", None)


@pytest.mark.long
async def test_the_rights_of_both_people_are_checked_when_it_is_approved(firm: Api) -> None:
    ann, bob, dan = person(firm, "ann"), person(firm, "bob"), person(firm, "dan")
    grant = await proposed(await ann.patch("/admin/users/eve", json={"groups": ["PLATFORM_SERVER_ADMIN"]}))
    by_dan = await proposed(await dan.post("/admin/apps", json={"definition": APP}))
    # Dan may change users, but may not make anybody an administrator.
    assert (await decide(dan, grant, "approve")).status_code == 403
    assert (await person(firm, "eve").get(f"/admin/proposals/{grant}")).status_code == 404
    assert (await person(firm, "eve").get("/admin/proposals")).json()["total"] == 0
    less = await proposed(await ann.patch("/admin/users/dan", json={"groups": []}))
    assert (await decide(bob, less, "approve")).status_code == 200
    refused = await decide(bob, by_dan, "approve")
    assert (refused.status_code, "PLATFORM_MANAGER:APPS:WRITE" in refused.text) == (403, True)
    assert (await bob.get("/admin/apps/x")).status_code == 404
    assert (await decide(bob, grant, "approve")).status_code == 200
    assert "PLATFORM_SERVER_ADMIN" in (await bob.get("/admin/users/eve")).json()["groups"]


async def test_passwords_are_proposed_without_being_shown(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    secret = "a new secret of eve"
    proposal = await proposed(await ann.patch("/admin/users/eve", json={"password": secret}))
    shown = await bob.get(f"/admin/proposals/{proposal}")
    assert shown.json()["changes"][0]["diff"][0]["path"] == "/password"
    assert "argon2" not in shown.text
    assert secret not in shown.text
    assert (await person(firm, "eve").get("/me")).status_code == 200
    assert (await decide(bob, proposal, "approve")).status_code == 200
    assert (await firm.client(("eve", secret)).get("/me")).status_code == 200
    assert (await person(firm, "eve").get("/me")).status_code == 401


@pytest.mark.long
async def test_batches_imports_and_rollbacks_become_proposals(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    apps = {"applications": [{**APP, "name": name} for name in ("x", "y")]}
    imported = await proposed(await ann.post("/admin/imports/apps", json=apps))
    assert (await decide(bob, imported, "approve")).status_code == 200
    revision = (await bob.get("/admin/apps/x")).json()["revision"]
    batch = {"key": "k", "action": "delete", "ids": ["x", "y"], "comment": "old"}
    removed = await proposed(await ann.post("/admin/batches/apps", json=batch))
    assert (await bob.get(f"/admin/proposals/{removed}")).json()["comment"] == "old"
    assert (await decide(bob, removed, "approve")).status_code == 200
    assert (await bob.get("/admin/apps")).json()["total"] == 0
    back = await proposed(await bob.post("/admin/apps/x/rollback", json={"revision": revision}))
    assert (await decide(ann, back, "approve")).status_code == 200
    assert (await bob.get("/admin/apps/x")).status_code == 200


async def test_a_batch_in_several_transactions_is_refused(firm: Api) -> None:
    ids = [f"app-{number}" for number in range(101)]
    refused = await person(firm, "ann").post("/admin/batches/apps", json={"key": "k", "action": "delete", "ids": ids})
    assert (refused.status_code, "approval" in refused.json()["error"]["message"]) == (409, True)


async def test_own_data_and_other_kinds_need_no_approval(firm: Api) -> None:
    eve = person(firm, "eve")
    password = await eve.put("/me/password", json={"current": "eve-password", "new": "another-password"})
    assert password.status_code < 300, password.text
    assert (await person(firm, "ann").post("/admin/groups", json={"name": "g"})).status_code == 201


@pytest.mark.long
async def test_only_changes_that_concern_the_groups_need_approval(desk: Api) -> None:
    ann = person(desk, "ann")
    assert (await ann.post("/admin/groups", json={"name": "FX", "expandsTo": ["Trading"]})).status_code == 201
    other = {"definition": APP, "accessList": ["Research"]}
    assert (await ann.post("/admin/apps", json=other)).status_code == 201
    # Before or after the change, directly or through another group, and everything that concerns all users.
    await proposed(await ann.patch("/admin/apps/x", json={"accessList": ["FX"]}))
    await proposed(await ann.patch("/admin/apps/x", json={"public": True}))
    await proposed(await ann.patch("/admin/users/eve", json={"groups": ["Trading"]}))
    assert (await ann.patch("/admin/users/eve", json={"groups": ["Research"]})).status_code == 200
    config = {"file": "system.json", "contents": {}}
    await proposed(await ann.post("/admin/configs", json=config))
    await proposed(await ann.post("/admin/configs", json={**config, "group": "Trading"}))
    assert (await ann.post("/admin/configs", json={**config, "group": "Research"})).status_code == 201


@pytest.mark.long
async def test_an_author_cannot_approve_with_the_token_of_a_service_account(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    account = {"id": "robot", "service": True, "groups": ["PLATFORM_SERVER_ADMIN"]}
    approved = await decide(bob, await proposed(await ann.post("/admin/users", json=account)), "approve")
    assert approved.status_code == 200, approved.text
    body = {"user": "robot", "name": "job", "permissions": ["PLATFORM_SERVER_ADMIN"], "expiresInDays": 9}
    made = await ann.post("/admin/tokens", json=body)
    assert made.status_code == 201, made.text
    proposal = await proposed(await ann.post("/admin/apps", json={"definition": APP}))

    robot = firm.client(headers={"Authorization": f"Bearer {made.json()['token']}"})
    refused = await decide(robot, proposal, "approve")

    assert (refused.status_code, "API token" in refused.json()["error"]["message"]) == (403, True)
    assert (await ann.get("/admin/apps/x")).status_code == 404


async def users_of(api: Api) -> dict[str, Any]:
    """The members of all users that an import can change."""
    items = (await api.admin.get("/admin/users", params={"limit": 1000})).json()["items"]
    return {user["id"]: (user["displayName"], user["groups"]) for user in items}


async def test_an_import_of_users_becomes_one_proposal(firm: Api) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    before = await users_of(firm)
    text = "id,displayName,groups\nnew-one,New One,Desk\neve,Eve E,Desk\n"
    plan = (await ann.post("/admin/batches/users/import/preview", json={"csv": text})).json()
    assert (plan["new"], plan["changed"]) == (1, 1)
    body = {"key": "joiners", "csv": text, "count": 2}

    proposal = await proposed(await ann.post("/admin/batches/users/import", json=body, headers=WHY))

    assert await users_of(firm) == before
    # The batch is undone together with the changes.
    assert (await ann.get("/admin/batches/users")).json()["total"] == 0
    shown = (await bob.get(f"/admin/proposals/{proposal}")).json()
    assert (shown["createdBy"], shown["comment"], shown["changed"]) == ("ann", "because", 2)
    assert {(change["id"], change["action"]) for change in shown["changes"]} == {
        ("new-one", "created"),
        ("eve", "changed"),
    }
    assert (await decide(ann, proposal, "approve")).status_code == 403
    assert (await decide(bob, proposal, "approve")).status_code == 200
    after = await users_of(firm)
    assert (after["new-one"], after["eve"]) == (("New One", ["Desk"]), ("Eve E", ["Desk"]))


async def test_an_import_of_users_in_several_transactions_is_refused(firm: Api) -> None:
    ann = person(firm, "ann")
    before = await users_of(firm)
    text = "id\n" + "".join(f"many-{number:04}\n" for number in range(1001))

    refused = await ann.post("/admin/batches/users/import", json={"key": "many", "csv": text, "count": 1001})

    assert refused.status_code == 409, refused.text
    assert "approval of a second administrator" in refused.json()["error"]["message"]
    assert await users_of(firm) == before
    assert (await ann.get("/admin/proposals")).json()["total"] == 0
    assert (await ann.get("/admin/batches/users")).json()["total"] == 0


async def test_an_import_of_users_is_proposed_only_if_it_concerns_a_selected_group(desk: Api) -> None:
    ann = person(desk, "ann")
    other = {"key": "a", "csv": "id,groups\nfree,Desk\n", "count": 1}
    assert (await ann.post("/admin/batches/users/import", json=other)).json()["done"] == 1
    trading = {"key": "b", "csv": "id,groups\nfree,Desk\nbound,Trading\n", "count": 1}
    await proposed(await ann.post("/admin/batches/users/import", json=trading))
    assert {"free", "bound"} & set(await users_of(desk)) == {"free"}
