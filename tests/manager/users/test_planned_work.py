"""Work that is planned under an account: a thief of its session cannot plan code, and it ends with all sessions."""

from datetime import timedelta
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api
from tests.manager.auth.test_confirmation import ADMIN_GROUP, confirmed, stolen
from tests.manager.http.test_response_cache import APP

RUNS = "/admin/commands/runs"
WAVES = ["1", "100%"]
OWN = ("ann", "ann-password")
EVERYONE = {"users": ["bob"]}


@pytest.fixture
async def desktop(api: Api) -> str:
    """The session of a desktop, and an administrator whose session is stolen."""
    await api.add_user("ann", ADMIN_GROUP)
    bob = await api.add_user("bob", "Desk")
    opened = await bob.post("/sessions", json={"machine": {"id": "pc"}, "version": "10.2"})
    return str(opened.json()["id"])


def _tomorrow(clock: SettableClock) -> str:
    return (clock.now() + timedelta(days=1)).isoformat()


async def test_a_stolen_cookie_alone_runs_no_code_and_plans_nothing(
    api: Api, desktop: str, clock: SettableClock
) -> None:
    thief = await stolen(api, OWN)
    tomorrow = _tomorrow(clock)
    attacks: dict[str, tuple[str, dict[str, Any]]] = {
        "code now": ("/admin/commands", {"session": desktop, "command": "ExecuteCode", "params": {"code": "1"}}),
        "code in a run": (RUNS, {"key": "a", "command": "ExecuteCode", "target": EVERYONE, "waves": WAVES}),
        "code with other letters": (RUNS, {"key": "b", "command": "executecode", "target": EVERYONE, "waves": WAVES}),
        "a program later": (
            RUNS,
            {"key": "c", "command": "StartApps", "target": EVERYONE, "waves": WAVES, "startAt": tomorrow},
        ),
        "a harmless command later": (
            RUNS,
            {"key": "d", "command": "Shutdown", "target": EVERYONE, "waves": WAVES, "startAt": tomorrow},
        ),
        "a command for everyone who connects later": (
            RUNS,
            {"key": "e", "command": "Shutdown", "target": EVERYONE, "waves": WAVES, "expires": tomorrow},
        ),
    }
    for attack, (path, body) in attacks.items():
        answer = await thief.post(path, json=body)
        assert answer.status_code == 403, (attack, answer.text)
        assert answer.json()["error"]["reason"] == "confirmation_required", attack
    assert (await api.admin.get(RUNS)).json()["total"] == 0
    assert (await api.admin.get("/admin/commands")).json()["total"] == 0

    # Daily work needs no password, and the password allows the rest.
    body = {"key": "f", "command": "Restart", "target": EVERYONE, "waves": WAVES}
    assert (await thief.post(RUNS, json=body)).status_code == 201
    assert (await thief.post("/admin/commands", json={"session": desktop, "command": "GetLogs"})).status_code == 201
    proof = await confirmed(thief, OWN[1])
    path, body = attacks["a program later"]
    planned = await thief.post(path, json=body, headers=proof)
    assert planned.status_code == 201, planned.text
    # Nor does it continue what somebody has paused.
    run = f"{RUNS}/{planned.json()['id']}"
    assert (await thief.post(f"{run}/pause")).status_code == 200
    assert (await thief.post(f"{run}/continue")).json()["error"]["reason"] == "confirmation_required"
    assert (await thief.post(f"{run}/continue", headers=proof)).status_code == 200


async def plan(api: Api, desktop: str, clock: SettableClock, key: str) -> dict[str, str]:
    """Plan work of each kind under the account of an administrator."""
    ann = api.client(OWN)
    body = {"command": "ExecuteCode", "target": EVERYONE, "waves": WAVES, "startAt": _tomorrow(clock), "key": key}
    run = await ann.post(RUNS, json=body)
    command = await ann.post("/admin/commands", json={"session": desktop, "command": "Restart"})
    name = f"app-{key}"
    app = {**APP, "name": name}
    assert (await api.admin.post("/admin/apps", json={"definition": app, "public": True})).status_code == 201
    content = {**app, "title": "new"}
    stages = [{"percent": 50, "duration": 3600}, {"percent": 100, "duration": None}]
    rollout = await ann.post("/admin/rollouts/apps", json={"key": name, "content": content, "stages": stages})
    answers = (run, command, rollout)
    assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers]
    return {
        "run": f"{RUNS}/{run.json()['id']}",
        "command": f"/admin/commands/{command.json()['items'][0]['id']}",
        "rollout": f"/admin/rollouts/apps/{rollout.json()['id']}",
    }


async def states(api: Api, planned: dict[str, str]) -> dict[str, str | None]:
    found = {name: (await api.admin.get(path)).json() for name, path in planned.items()}
    return {name: each.get("status") for name, each in found.items()}


STOPPED = {"run": "cancelled", "command": None, "rollout": "halted"}
KEPT = {"run": "scheduled", "command": "pending", "rollout": "running"}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/admin/users/ann", {"disabled": True}),
        ("POST", "/admin/batches/users", {"key": "k", "action": "disable", "ids": ["ann"]}),
        ("POST", "/admin/batches/users/import", {"key": "k", "csv": "id,disabled\nann,true\n"}),
        ("DELETE", "/admin/users/ann", None),
        ("POST", "/admin/batches/users", {"key": "k", "action": "delete", "ids": ["ann"]}),
    ],
    ids=["disabled", "disabled in a batch", "disabled by an import", "deleted", "deleted in a batch"],
)
async def test_desktops_fetch_no_commands_of_a_locked_account(
    api: Api, desktop: str, method: str, path: str, body: Any
) -> None:
    sent = {"session": desktop, "command": "ExecuteCode", "params": {"code": "evil"}}
    assert (await api.client(OWN).post("/admin/commands", json=sent)).status_code == 201

    answer = await api.admin.request(method, path, json=body)

    assert answer.status_code in (200, 201, 204), answer.text
    fetched = await api.client(("bob", "bob-password")).get(f"/sessions/{desktop}/commands")
    assert fetched.json() == {"commands": []}


@pytest.mark.long
async def test_planned_work_ends_when_somebody_else_signs_the_user_out(
    api: Api, desktop: str, clock: SettableClock
) -> None:
    async def after(method: str, path: str, body: dict[str, Any], auth: tuple[str, str] | None = ADMIN) -> Any:
        planned = await plan(api, desktop, clock, f"k{len(seen)}")
        seen.append(path)
        answer = await api.client(auth).request(method, path, json=body)
        assert answer.status_code in (200, 204), answer.text
        found = await states(api, planned)
        back = {"password": OWN[1], "stopPlannedWork": True}
        assert (await api.admin.patch("/admin/users/ann", json=back)).status_code == 200
        assert await states(api, planned) == STOPPED
        return found

    async def link() -> str:
        made = (await api.admin.post("/admin/password-links", json={"users": ["ann"]})).json()
        return str(made["items"][0]["token"])

    seen: list[str] = []
    new = "a new password"
    change = {"current": OWN[1], "new": new}
    assert await after("POST", "/admin/users/ann/sign-out", {}) == STOPPED
    assert await after("PATCH", "/admin/users/ann", {"password": new}) == STOPPED
    assert await after("POST", "/password-links/use", {"token": await link(), "password": new}, None) == STOPPED
    assert await after("PUT", "/me/password", {**change, "stopPlannedWork": True}, OWN) == STOPPED
    assert await after("POST", "/me/sign-out-everywhere", {"plannedWork": True}, OWN) == STOPPED

    assert await after("POST", "/admin/users/ann/sign-out", {"plannedWork": False}) == KEPT
    assert await after("PATCH", "/admin/users/ann", {"password": new, "stopPlannedWork": False}) == KEPT
    assert await after("PUT", "/me/password", change, OWN) == KEPT
    assert await after("POST", "/me/sign-out-everywhere", {}, OWN) == KEPT


async def test_what_has_ended_is_counted_and_recorded(api: Api, desktop: str, clock: SettableClock) -> None:
    planned = await plan(api, desktop, clock, "k")
    of_others = {"key": "x", "command": "Restart", "target": EVERYONE, "waves": WAVES, "startAt": _tomorrow(clock)}
    other = await api.admin.post(RUNS, json=of_others)

    ended = (await api.admin.post("/admin/users/ann/sign-out", json={})).json()

    assert ended == {"user": "ann", "desktops": 0, "apiTokens": 0, "plannedWork": 3}
    entry = (await api.admin.get("/admin/audit")).json()["items"][0]
    assert (entry["actor"], entry["operation"]) == ("admin", "signOutUser")
    kinds = {(change["kind"], change["action"]) for change in entry["changes"]}
    assert {("commandRun", "changed"), ("command", "deleted"), ("rollout", "changed")} <= kinds
    run = (await api.admin.get(planned["run"])).json()
    assert "ann was signed out" in run["reason"]
    assert (await api.admin.get(f"{RUNS}/{other.json()['id']}")).json()["status"] == "scheduled"
    clock.advance(2 * 86400)
    assert (await states(api, planned))["run"] == "cancelled"
