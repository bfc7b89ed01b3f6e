"""One administrator who tries to be the second one too: with other accounts, their passwords, and their groups."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api
from tests.manager.approval.test_reach import APP, person
from tests.manager.proposals.test_effect import approve, proposed

ADMIN = "PLATFORM_SERVER_ADMIN"
APPS = "PLATFORM_MANAGER:APPS:WRITE"
DAY = timedelta(days=1)


@pytest.fixture
async def firm(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on which only changes of apps require approval. All accounts are older than a day."""
    async with running_api(manager_config(sqlite), clock) as first:
        for user in ("ann", "bob", "dora", "mallory"):
            await first.add_user(user, ADMIN)
        await first.add_user("carl", "Staff")
        await first.add_user("off", ADMIN)
        assert (await first.admin.patch("/admin/users/off", json={"disabled": True})).status_code == 200
        await first.add_user("gone", ADMIN)
        assert (await first.admin.delete("/admin/users/gone")).status_code == 204
    clock.advance(DAY.total_seconds() + 1)
    async with running_api(manager_config(sqlite, changes={"approvalKinds": ["app"]}), clock) as api:
        yield api
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


async def propose(client: httpx.AsyncClient) -> str:
    return await proposed(await client.post("/admin/apps", json={"definition": APP}))


async def ok(answer: httpx.Response) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


async def new_account(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    await ok(await ann.post("/admin/users", json={"id": "zoe", "password": "zoe-password", "groups": [ADMIN]}))
    return person(api, "zoe")


async def account_of_an_account(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    zoe = await new_account(api, ann)
    await ok(await zoe.post("/admin/users", json={"id": "yan", "password": "yan-password", "groups": [ADMIN]}))
    await ok(await ann.delete("/admin/users/zoe"))
    return person(api, "yan")


async def right_for_an_account(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    await ok(await ann.patch("/admin/users/carl", json={"groups": ["Staff", APPS]}))
    return person(api, "carl")


async def right_by_inheritance(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    await ok(await ann.patch("/admin/groups/Staff", json={"expandsTo": [APPS]}))
    return person(api, "carl")


async def right_by_inheritance_of_a_new_group(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    await ok(await ann.post("/admin/groups", json={"name": "More", "expandsTo": [ADMIN]}))
    await ok(await ann.patch("/admin/groups/Staff", json={"expandsTo": ["More"]}))
    return person(api, "carl")


async def right_in_a_batch(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    body = {"key": "k", "action": "addToGroups", "ids": ["carl"], "arguments": {"groups": [APPS]}}
    await ok(await ann.post("/admin/batches/users", json=body))
    return person(api, "carl")


async def new_password(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    await ok(await ann.patch("/admin/users/bob", json={"password": "stolen-password"}))
    return api.client(("bob", "stolen-password"))


async def password_link(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    made = await ok(await ann.post("/admin/password-links", json={"users": ["bob"]}))
    body = {"token": made["items"][0]["token"], "password": "stolen-password"}
    await ok(await api.client().post("/password-links/use", json=body))
    return api.client(("bob", "stolen-password"))


async def enabled_account(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    await ok(await ann.patch("/admin/users/off", json={"disabled": False}))
    return person(api, "off")


async def restored_account(api: Api, ann: httpx.AsyncClient) -> httpx.AsyncClient:
    revisions = await ok(await ann.get("/admin/users/gone/revisions"))
    first = revisions["items"][-1]["revision"]
    await ok(await ann.post("/admin/users/gone/rollback", json={"revision": first}))
    await ok(await ann.patch("/admin/users/gone", json={"password": "gone-password"}))
    return person(api, "gone")


WAYS = {
    way.__name__: way
    for way in (
        new_account,
        account_of_an_account,
        right_for_an_account,
        right_by_inheritance,
        right_by_inheritance_of_a_new_group,
        right_in_a_batch,
        new_password,
        password_link,
        enabled_account,
        restored_account,
    )
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("way", "is_earlier"),
    [
        *((way, False) for way in WAYS),
        ("new_account", True),
        # The same code looks for these as after the proposal.
        *(pytest.param(way, True, marks=pytest.mark.long) for way in WAYS if way != "new_account"),
    ],
)
async def test_an_account_that_the_author_controls_cannot_approve(
    firm: Api, clock: SettableClock, way: str, *, is_earlier: bool
) -> None:
    ann = person(firm, "ann")
    if is_earlier:
        second = await WAYS[way](firm, ann)
        clock.advance(3600)
        proposal = await propose(ann)
    else:
        proposal = await propose(ann)
        clock.advance(3600)
        second = await WAYS[way](firm, ann)
    refused = await approve(second, proposal)
    assert (refused.status_code, "author" in refused.text) == (403, True)
    assert (await ann.get("/admin/apps/x")).status_code == 404
    still_pending = (await ann.get(f"/admin/proposals/{proposal}")).json()["status"]
    assert still_pending == "pending"


@pytest.mark.long
async def test_an_author_that_the_approver_controls_counts_as_the_same_person(firm: Api, clock: SettableClock) -> None:
    ann = person(firm, "ann")
    zoe = await new_account(firm, ann)
    proposal = await propose(zoe)
    assert (await approve(ann, proposal)).status_code == 403
    account = {"id": "robot", "service": True, "groups": [APPS]}
    await ok(await ann.post("/admin/users", json=account))
    body = {"user": "robot", "name": "job", "permissions": [APPS], "expiresInDays": 9}
    clock.advance(3 * DAY.total_seconds())
    token = (await ok(await ann.post("/admin/tokens", json=body)))["token"]
    robot = firm.client(headers={"Authorization": f"Bearer {token}"})
    clock.advance(3 * DAY.total_seconds())
    other = {"definition": {**APP, "name": "y"}}
    by_robot = await proposed(await robot.post("/admin/apps", json=other))
    refused = await approve(ann, by_robot)
    assert (refused.status_code, "token" in refused.text) == (403, True)
    assert (await approve(person(firm, "bob"), by_robot)).status_code == 200


async def two_new_accounts(api: Api, mallory: httpx.AsyncClient) -> tuple[str, str]:
    await ok(await mallory.post("/admin/users", json={"id": "xi", "password": "xi-password", "groups": [ADMIN]}))
    await new_account(api, mallory)
    return "xi", "zoe"


async def two_new_passwords(_: Api, mallory: httpx.AsyncClient) -> tuple[str, str]:
    for user in ("ann", "bob"):
        await ok(await mallory.patch(f"/admin/users/{user}", json={"password": f"{user}-password"}))
    return "ann", "bob"


async def a_new_password_and_an_account(api: Api, mallory: httpx.AsyncClient) -> tuple[str, str]:
    await ok(await mallory.patch("/admin/users/ann", json={"password": "ann-password"}))
    await new_account(api, mallory)
    return "ann", "zoe"


async def an_account_and_the_account_of_another(api: Api, mallory: httpx.AsyncClient) -> tuple[str, str]:
    await two_new_accounts(api, mallory)
    await ok(await mallory.patch("/admin/users/carl", json={"groups": [ADMIN]}))
    yan = {"id": "yan", "password": "yan-password", "groups": [ADMIN]}
    await ok(await person(api, "zoe").post("/admin/users", json=yan))
    return "carl", "yan"


@pytest.mark.long
@pytest.mark.parametrize(
    "way", [two_new_accounts, two_new_passwords, a_new_password_and_an_account, an_account_and_the_account_of_another]
)
async def test_two_accounts_that_a_third_one_controls_are_not_two_people(
    firm: Api, clock: SettableClock, way: Any
) -> None:
    mallory = person(firm, "mallory")
    author, approver = await way(firm, mallory)
    clock.advance(3600)
    proposal = await propose(person(firm, author))
    refused = await approve(person(firm, approver), proposal)

    assert (refused.status_code, "for both" in refused.text) == (403, True), refused.text
    assert (await mallory.get("/admin/apps/x")).status_code == 404
    # Somebody whom nobody controls can.
    assert (await approve(person(firm, "dora"), proposal)).status_code == 200


@pytest.mark.long
async def test_the_maker_of_a_token_and_of_the_approver_is_found(firm: Api, clock: SettableClock) -> None:
    mallory = person(firm, "mallory")
    await ok(await mallory.post("/admin/users", json={"id": "robot", "service": True, "groups": [APPS]}))
    body = {"user": "robot", "name": "job", "permissions": [APPS], "expiresInDays": 9}
    token = (await ok(await mallory.post("/admin/tokens", json=body)))["token"]
    clock.advance(3 * DAY.total_seconds())
    zoe = await new_account(firm, mallory)
    robot = firm.client(headers={"Authorization": f"Bearer {token}"})
    proposal = await propose(robot)

    assert (await approve(zoe, proposal)).status_code == 403
    assert (await approve(person(firm, "bob"), proposal)).status_code == 200


@pytest.mark.long
async def test_independent_administrators_can_approve(firm: Api, clock: SettableClock) -> None:
    ann, bob = person(firm, "ann"), person(firm, "bob")
    zoe = await new_account(firm, ann)
    clock.advance(DAY.total_seconds() + 1)
    proposal = await propose(ann)
    # Changes that give no rights, and those of other administrators, do not count.
    await ok(await ann.patch("/admin/users/bob", json={"email": "bob@example.com"}))
    await ok(await ann.patch("/admin/groups/Staff", json={"expandsTo": ["Other"]}))
    await ok(await bob.post("/admin/users", json={"id": "xi", "password": "xi-password", "groups": [ADMIN]}))
    assert (await approve(person(firm, "xi"), proposal)).status_code == 200
    second = await proposed(await ann.post("/admin/apps", json={"definition": {**APP, "name": "y"}}))
    assert (await approve(zoe, second)).status_code == 200


async def test_the_time_before_the_proposal_can_be_configured(sqlite: str, clock: SettableClock) -> None:
    changes = {"approvalKinds": ["app"], "approverHours": 0}
    async with running_api(manager_config(sqlite, changes=changes), clock) as api:
        zoe = await api.add_user("zoe", ADMIN)
        clock.advance(1)
        proposal = await propose(api.admin)
        clock.advance(1)
        yan = await api.add_user("yan", ADMIN)
        assert (await approve(yan, proposal)).status_code == 403
        assert (await approve(zoe, proposal)).status_code == 200
