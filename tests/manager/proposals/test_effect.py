"""The effect that a proposal shows, and attempts to approve one effect and cause another."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.changes.model import ChangeRules
from rostrum.manager.rollouts.service import RolloutService
from rostrum.manager.topics import manager_storage
from tests.conftest import Api, manager_config, running_api
from tests.manager.approval.test_reach import APP, EVIL, person

ADMIN = "PLATFORM_SERVER_ADMIN"
STAGES = [{"percent": 100, "duration": 60}]


@pytest.fixture
async def desk(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """Eve is a member of Trading, bo is in Plain, and the app x is for Plain."""
    async with running_api(manager_config(sqlite), clock) as first:
        for user in ("ann", "bob"):
            await first.add_user(user, ADMIN)
        await first.add_user("dan", "PLATFORM_MANAGER:USERS:WRITE")
        await first.add_user("eve", "Trading")
        await first.add_user("bo", "Plain")
        body = {"definition": APP, "accessList": ["Plain"]}
        assert (await first.admin.post("/admin/apps", json=body)).status_code == 201
    rules = {"approvalKinds": ["app", "config", "user", "group"], "approvalGroups": ["Trading"]}
    # Nobody has made both administrators recently.
    clock.advance(86_401)
    async with running_api(manager_config(sqlite, changes=rules), clock) as api:
        yield api
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


async def proposed(answer: httpx.Response) -> str:
    assert answer.status_code == 202, answer.text
    return str(answer.json()["proposal"]["id"])


async def effect_of(client: httpx.AsyncClient, proposal: str) -> dict[str, Any]:
    answer = await client.get(f"/admin/proposals/{proposal}")
    assert answer.status_code == 200, answer.text
    effect: dict[str, Any] = answer.json()["effect"]
    return effect


async def approve(client: httpx.AsyncClient, proposal: str) -> httpx.Response:
    return await client.post(f"/admin/proposals/{proposal}/approve")


async def start_rollout(client: httpx.AsyncClient, title: str = "evil", *, stages: Any = STAGES) -> str:
    body = {"key": "x", "content": {**APP, "title": title}, "stages": stages}
    started = await client.post("/admin/rollouts/apps", json=body)
    assert started.status_code == 201, started.text
    return str(started.json()["id"])


async def test_a_proposal_shows_the_users_and_the_values_that_change(desk: Api) -> None:
    ann, bob = person(desk, "ann"), person(desk, "bob")
    effect = await effect_of(bob, await proposed(await ann.post("/admin/configs", json={**EVIL, "user": "eve"})))
    (item,) = effect["items"]
    assert (effect["users"], item["users"]) == (1, ["eve"])
    assert [(value["path"], value["after"]) for value in item["configs"]] == [("windows.defaultWidth", 666)]
    assert effect["documents"] == []


async def test_a_proposal_shows_what_a_new_member_brings_into_the_group(desk: Api) -> None:
    ann, bob = person(desk, "ann"), person(desk, "bob")
    for body in ({**EVIL, "user": "bo"},):
        assert (await ann.post("/admin/configs", json=body)).status_code == 201
    effect = await effect_of(bob, await proposed(await ann.patch("/admin/users/bo", json={"groups": ["Trading"]})))
    (item,) = effect["items"]
    assert (item["users"], item["account"]) == (["bo"], "new to the groups")
    assert [value["after"] for value in item["configs"]] == [666]
    assert [(one["kind"], one["content"]) for one in effect["documents"]] == [("config", EVIL["contents"])]


@pytest.mark.long
async def test_an_app_that_is_rolled_out_reaches_the_group_only_with_its_new_version_in_view(desk: Api) -> None:
    ann, bob, eve = person(desk, "ann"), person(desk, "bob"), person(desk, "eve")
    rollout = await start_rollout(ann)
    proposal = await proposed(await ann.patch("/admin/apps/x", json={"accessList": ["Plain", "Trading"]}))
    (shown,) = (await effect_of(bob, proposal))["documents"]
    assert (shown["id"], shown["rollout"]["id"]) == ("x", rollout)
    assert shown["rollout"]["candidate"]["title"] == "evil"

    assert (await approve(bob, proposal)).status_code == 200
    assert (await eve.get("/apps")).json()["applications"][0]["title"] == "evil"
    # Nobody has approved that members receive the saved version.
    withdrawn = await ann.post(f"/admin/rollouts/apps/{rollout}/withdraw")
    assert (withdrawn.status_code, "approval" in withdrawn.text) == (409, True)
    # All members receive the new version already, so the roll-out may end.
    finished = await ann.post(f"/admin/rollouts/apps/{rollout}/finish")
    assert (finished.status_code, finished.json()["status"]) == (200, "finished")


@pytest.mark.long
@pytest.mark.parametrize("is_withdrawn", [False, True])
async def test_a_rollout_that_begins_or_changes_after_the_proposal_stops_it(desk: Api, *, is_withdrawn: bool) -> None:
    ann, bob, eve = person(desk, "ann"), person(desk, "bob"), person(desk, "eve")
    if is_withdrawn:
        harmless = await start_rollout(ann, "harmless")
    proposal = await proposed(await ann.patch("/admin/apps/x", json={"accessList": ["Plain", "Trading"]}))
    if is_withdrawn:
        assert (await ann.post(f"/admin/rollouts/apps/{harmless}/withdraw")).status_code == 200
    await start_rollout(ann)
    refused = await approve(bob, proposal)
    assert (refused.status_code, "effect of the proposal" in refused.text) == (409, True)
    assert (await eve.get("/apps")).json()["applications"] == []


@pytest.mark.long
async def test_a_step_that_gives_members_another_version_requires_approval(desk: Api) -> None:
    ann, bob, eve = person(desk, "ann"), person(desk, "bob"), person(desk, "eve")
    stages = [{"groups": ["Plain"], "duration": None}, {"percent": 100, "duration": None}]
    rollout = await start_rollout(ann, stages=stages)
    shared = await proposed(await ann.patch("/admin/apps/x", json={"accessList": ["Plain", "Trading"]}))
    assert (await approve(bob, shared)).status_code == 200

    # The version would also become another one with a group of the roll-out, which the proposal shows.
    joins = await proposed(await ann.patch("/admin/users/eve", json={"groups": ["Trading", "Plain"]}))
    (shown,) = (await effect_of(bob, joins))["documents"]
    assert (shown["id"], shown["rollout"]["candidate"]["title"]) == ("x", "evil")

    advanced = await ann.post(f"/admin/rollouts/apps/{rollout}/advance")
    assert (advanced.status_code, "proposal" in advanced.text) == (409, True)
    finished = await proposed(await ann.post(f"/admin/rollouts/apps/{rollout}/finish"))
    assert "title" not in (await eve.get("/apps")).json()["applications"][0]
    approved = await approve(bob, finished)
    assert approved.status_code == 200, approved.text
    assert (await eve.get("/apps")).json()["applications"][0]["title"] == "evil"
    ended = (await ann.get(f"/admin/rollouts/apps/{rollout}")).json()
    assert (ended["status"], (await approve(bob, joins)).status_code) == ("finished", 409)


@pytest.mark.long
async def test_a_stage_that_starts_after_the_proposal_stops_it(desk: Api) -> None:
    ann, bob, eve = person(desk, "ann"), person(desk, "bob"), person(desk, "eve")
    stages = [{"groups": ["Plain"], "duration": None}, {"percent": 100, "duration": None}]
    rollout = await start_rollout(ann, stages=stages)
    shared = await proposed(await ann.patch("/admin/apps/x", json={"accessList": ["Plain", "Trading"]}))
    assert (await ann.post(f"/admin/rollouts/apps/{rollout}/advance")).status_code == 200
    refused = await approve(bob, shared)
    assert (refused.status_code, "effect of the proposal" in refused.text) == (409, True)
    assert (await eve.get("/apps")).json()["applications"] == []


CHANGES_AFTERWARDS: dict[str, tuple[tuple[str, str, Any], list[tuple[str, str, Any]]]] = {
    "a file of a new member": (
        ("PATCH", "/admin/users/bo", {"groups": ["Trading"]}),
        [("POST", "/admin/configs", {**EVIL, "user": "bo"})],
    ),
    "preferences of a new member": (
        ("PATCH", "/admin/users/bo", {"groups": ["Trading"]}),
        [("POST", "/admin/prefs", {"user": "bo", "app": "x", "data": {"evil": True}})],
    ),
    "a file of a group that is inherited": (
        ("PATCH", "/admin/groups/Trading", {"expandsTo": ["Empty"]}),
        [("POST", "/admin/configs", {**EVIL, "group": "Empty"})],
    ),
    "inheritance of a group that is inherited": (
        ("PATCH", "/admin/groups/Trading", {"expandsTo": ["Empty"]}),
        [("PATCH", "/admin/groups/Empty", {"expandsTo": ["Plain"]})],
    ),
    "the definition of an app that is assigned": (
        ("PATCH", "/admin/users/eve", {"apps": ["x"]}),
        [("PATCH", "/admin/apps/x", {"definition": {**APP, "title": "evil"}})],
    ),
    "other members of a group that inherits": (
        ("PATCH", "/admin/groups/Plain", {"expandsTo": ["Trading"]}),
        [
            ("POST", "/admin/users", {"id": "cy", "groups": ["Plain"]}),
            ("POST", "/admin/configs", {**EVIL, "user": "cy"}),
        ],
    ),
}


@pytest.mark.long
@pytest.mark.parametrize(
    "way",
    [
        way if number % 2 else pytest.param(way, marks=pytest.mark.long)
        for number, way in enumerate(CHANGES_AFTERWARDS, start=1)
    ],
)
async def test_an_approval_is_valid_only_for_the_effect_that_the_proposal_shows(desk: Api, way: str) -> None:
    ann, bob = person(desk, "ann"), person(desk, "bob")
    assert (await ann.post("/admin/groups", json={"name": "Empty"})).status_code == 201
    (method, path, body), afterwards = CHANGES_AFTERWARDS[way]
    proposal = await proposed(await ann.request(method, path, json=body))
    for method, path, body in afterwards:
        answer = await ann.request(method, path, json=body)
        assert answer.status_code in (200, 201), answer.text
    refused = await approve(bob, proposal)
    assert (refused.status_code, "effect of the proposal" in refused.text) == (409, True)


async def test_other_changes_do_not_stop_an_approval(desk: Api) -> None:
    ann, bob, bo = person(desk, "ann"), person(desk, "bob"), person(desk, "bo")
    proposal = await proposed(await ann.patch("/admin/users/bo", json={"groups": ["Trading"]}))
    assert (await ann.post("/admin/configs", json={**EVIL, "group": "Plain"})).status_code == 201
    assert (await bo.post("/prefs", json={"app": "x", "data": {"a": 1}})).status_code == 201
    layout = {"name": "mine", "type": "Global", "components": []}
    assert (await bo.post("/layouts", json={"layout": layout})).status_code == 201
    approved = await approve(bob, proposal)
    assert approved.status_code == 200, approved.text


@pytest.mark.long
async def test_an_administrator_gets_no_api_token_of_a_member(desk: Api) -> None:
    ann, bob = person(desk, "ann"), person(desk, "bob")
    account = {"id": "svc", "service": True, "groups": ["Plain"]}
    assert (await ann.post("/admin/users", json=account)).status_code == 201
    body = {"user": "svc", "name": "before", "permissions": [], "expiresInDays": 9}
    assert (await ann.post("/admin/tokens", json=body)).status_code == 201
    joining = await proposed(await ann.patch("/admin/users/svc", json={"groups": ["Trading"]}))
    assert (await approve(bob, joining)).status_code == 200

    refused = await ann.post("/admin/tokens", json={**body, "name": "after"})

    assert (refused.status_code, "on the server" in refused.text) == (409, True), refused.text
    assert (await ann.get("/admin/tokens?name=after")).json()["total"] == 0
    # Members create their own tokens.
    own = {"name": "mine", "permissions": [], "expiresInDays": 9}
    assert (await person(desk, "eve").post("/me/tokens", json=own)).status_code == 201


async def test_an_approver_must_be_able_to_read_the_effect(desk: Api) -> None:
    ann, dan = person(desk, "ann"), person(desk, "dan")
    assert (await ann.post("/admin/configs", json={**EVIL, "user": "bo"})).status_code == 201
    proposal = await proposed(await ann.patch("/admin/users/bo", json={"groups": ["Trading"]}))
    effect = await effect_of(dan, proposal)
    assert (effect["items"][0]["configs"], effect["documents"], effect["moreDocuments"]) == (None, [], 1)
    refused = await approve(dan, proposal)
    assert (refused.status_code, "SYSTEM_CONFIGS:READ" in refused.text) == (403, True)


@pytest.mark.long
async def test_a_stage_whose_time_has_come_halts_before_members_receive_another_version(
    desk: Api, clock: SettableClock
) -> None:
    ann, bob, eve = person(desk, "ann"), person(desk, "bob"), person(desk, "eve")
    rollout = await start_rollout(ann, stages=[{"groups": ["Plain"], "duration": 60}, {"percent": 100, "duration": 60}])
    shared = await proposed(await ann.patch("/admin/apps/x", json={"accessList": ["Plain", "Trading"]}))
    assert (await approve(bob, shared)).status_code == 200
    clock.advance(61)
    await desk.app._rollouts.advance_all()
    halted = (await ann.get(f"/admin/rollouts/apps/{rollout}")).json()
    assert (halted["status"], halted["stage"], "approval" in halted["reason"]) == ("halted", 1, True)
    assert (await ann.post(f"/admin/rollouts/apps/{rollout}/resume")).status_code == 200
    assert (await ann.post(f"/admin/rollouts/apps/{rollout}/advance")).status_code == 409
    assert "title" not in (await eve.get("/apps")).json()["applications"][0]
    # No member has received the new version, so nobody loses it.
    assert (await ann.post(f"/admin/rollouts/apps/{rollout}/withdraw")).status_code == 200


async def test_a_rollout_that_nobody_has_approved_halts_before_it_reaches_the_group(
    sqlite: str, clock: SettableClock
) -> None:
    async with running_api(manager_config(sqlite), clock) as first:
        await first.add_user("eve", "Trading")
        body = {"definition": APP, "accessList": ["Plain", "Trading"]}
        assert (await first.admin.post("/admin/apps", json=body)).status_code == 201
        plan = {"key": "x", "content": {**APP, "title": "new"}, "stages": [{"groups": ["Plain"], "duration": 60}]}
        rollout = (await first.admin.post("/admin/rollouts/apps", json=plan)).json()["id"]
    clock.advance(61)
    rules = {"approvalKinds": ["app"], "approvalGroups": ["Trading"]}
    config = manager_config(sqlite, changes=rules)
    storage = manager_storage(sqlite, clock, rules=ChangeRules.of(config))
    await RolloutService(storage, idle_seconds=90).advance_all()
    await storage.close()
    async with running_api(config, clock) as api:
        halted = (await api.admin.get(f"/admin/rollouts/apps/{rollout}")).json()
        assert (halted["status"], "approval" in halted["reason"]) == ("halted", True)
        assert "title" not in (await person(api, "eve").get("/apps")).json()["applications"][0]


async def test_an_app_that_does_not_exist_yet_is_a_part_of_the_effect(desk: Api) -> None:
    ann, bob = person(desk, "ann"), person(desk, "bob")
    body = {"groups": ["Trading", "Plain"], "apps": ["ghost"]}
    proposal = await proposed(await ann.patch("/admin/users/bo", json=body))

    # No member receives it, so it needs no approval. The approver has not seen it.
    created = await ann.post("/admin/apps", json={"definition": {**APP, "name": "ghost", "title": "evil"}})
    assert created.status_code == 201, created.text

    assert "ghost" in str(await effect_of(bob, proposal))
    assert (await approve(bob, proposal)).status_code == 409
