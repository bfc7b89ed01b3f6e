"""Roll-outs over HTTP: polls of both cohorts, from the response cache and without further queries."""

from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.rollouts.model import Cohort, Stage
from tests.conftest import Api, manager_config, running_api
from tests.manager.http.test_response_cache import APP, Polls, add_app, statements

STAGES = [{"percent": 50, "duration": None}, {"percent": 100, "duration": None}]


async def start(api: Api, **members: Any) -> str:
    body = {"key": "blotter", "content": {**APP, "title": "new"}, "stages": STAGES, **members}
    answer = await api.admin.post("/admin/rollouts/apps", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"].endswith(answer.json()["id"])
    return str(answer.json()["id"])


async def act(api: Api, rollout: str, word: str) -> dict[str, Any]:
    answer = await api.admin.post(f"/admin/rollouts/apps/{rollout}/{word}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.long
@pytest.mark.parametrize("path", ["/apps", "/user/apps"])
async def test_users_of_the_same_groups_poll_different_versions_from_the_cache(api: Api, path: str) -> None:
    await add_app(api)
    names = [f"user{number}" for number in range(24)]
    polls = {name: Polls(await api.add_user(name, "Desk"), path) for name in names}
    for poll in polls.values():
        await poll.until_ready()
    saved = {poll.tag for poll in polls.values()}
    assert len(saved) == 1

    rollout = await start(api)

    first = Cohort(id=rollout, stages=[Stage(percent=50)])
    for name, poll in polls.items():
        answer = await poll()
        assert answer.status_code == (200 if first.includes(name, ()) else 304)
        if answer.status_code == 200:
            assert '"title":"new"' in answer.text
    for poll in polls.values():
        await poll.until_ready()
    # On a busy machine, a round has rarely needed one query for an unknown reason. Later rounds must need none.
    for _ in range(3):
        with statements() as seen:
            for poll in polls.values():
                assert (await poll()).status_code == 304
        if not seen:
            break
    assert [str(one) for one in seen] == []

    await act(api, rollout, "advance")
    for name, poll in polls.items():
        assert (await poll()).status_code == (304 if first.includes(name, ()) else 200)
    await act(api, rollout, "withdraw")
    for poll in polls.values():
        assert (await poll()).status_code == 200
        assert {poll.tag} == saved


async def test_without_a_rollout_nothing_asks_for_one(api: Api) -> None:
    await add_app(api)
    poll = Polls(await api.add_user("ann", "Desk"))
    await poll.until_ready()
    await add_app(api, definition={**APP, "name": "other"})
    with statements() as seen:
        assert (await poll()).status_code == 200
    # Only the query that checks the credentials looks whether there is a roll-out at all.
    assert [one for one in seen if "FROM rollouts" in str(one) and "password_hash" not in str(one)] == []


async def test_the_state_is_listed_and_ends_in_the_history(api: Api) -> None:
    await add_app(api)
    rollout = await start(api, comment="new page", ticket="CHG-1", maxCrashes="5%")
    listed = (await api.admin.get("/admin/rollouts/apps", params={"key": "blotter", "status": "running"})).json()
    assert [(one["id"], one["stage"], one["ticket"]) for one in listed["items"]] == [(rollout, 1, "CHG-1")]
    refused = await api.admin.patch("/admin/apps/blotter", json={"definition": {**APP, "title": "other"}})
    assert refused.status_code == 409
    assert rollout in refused.text
    assert (await act(api, rollout, "halt"))["status"] == "halted"
    assert (await act(api, rollout, "resume"))["status"] == "running"
    assert (await act(api, rollout, "finish"))["status"] == "finished"
    assert (await api.admin.get("/admin/apps/blotter")).json()["definition"]["title"] == "new"
    again = await api.admin.post(f"/admin/rollouts/apps/{rollout}/withdraw")
    assert again.status_code == 409
    assert "finished" in again.text
    unknown = await api.admin.get(f"/admin/rollouts/configs/{rollout}")
    assert unknown.status_code == 404


async def test_changes_that_require_approval_are_not_rolled_out(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, changes={"approvalKinds": ["app"]}), clock) as api:
        first, second = [await api.add_user(name, "PLATFORM_SERVER_ADMIN") for name in ("first", "second")]
        clock.advance(86_401)
        proposed = await first.post("/admin/apps", json={"definition": {**APP, "name": "blotter"}, "public": True})
        assert proposed.status_code == 202, proposed.text
        approved = await second.post(f"/admin/proposals/{proposed.json()['proposal']['id']}/approve")
        assert approved.status_code == 200, approved.text
        body = {"key": "blotter", "content": {**APP, "title": "new"}, "stages": STAGES}

        refused = await api.admin.post("/admin/rollouts/apps", json=body)

        assert refused.status_code == 409, refused.text
        assert "approval of a second administrator" in refused.json()["error"]["message"]
        assert (await api.admin.get("/admin/rollouts/apps")).json()["total"] == 0


async def test_a_rollout_that_began_before_approval_was_required_is_finished_by_a_proposal_or_withdrawn(
    sqlite: str, clock: SettableClock
) -> None:
    async with running_api(manager_config(sqlite), clock) as api:
        await add_app(api)
        rollout = await start(api)
    async with running_api(manager_config(sqlite, changes={"approvalKinds": ["app"]}), clock) as api:
        refused = await api.admin.post(f"/admin/rollouts/apps/{rollout}/advance")
        assert refused.status_code == 409, refused.text
        assert "approval of a second administrator" in refused.json()["error"]["message"]
        finished = await api.admin.post(f"/admin/rollouts/apps/{rollout}/finish")
        assert finished.status_code == 202, finished.text
        assert (await api.admin.get(f"/admin/rollouts/apps/{rollout}")).json()["status"] == "running"
        assert (await act(api, rollout, "withdraw"))["status"] == "withdrawn"
