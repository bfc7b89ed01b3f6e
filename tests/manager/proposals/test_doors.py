"""Every operation that writes, tried out by one administrator: none alters what members of a protected group receive.

A new operation fails until it has a line here: an attempt to reach a member, or the reason why it cannot.
"""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api
from tests.manager.approval.test_reach import ALL_KINDS, APP, EVIL, LAYOUT, person
from tests.manager.http.test_rights import operations

ADMIN = "PLATFORM_SERVER_ADMIN"
BAD_APP: dict[str, Any] = {"definition": {**APP, "title": "evil"}, "public": True}
BAD_LAYOUT: dict[str, Any] = {"definition": {**LAYOUT, "metadata": {"evil": True}}, "owner": "*", "public": True}
BAD_FILE = {**EVIL, "user": "eve"}
BAD_USER = {"email": None, "groups": ["Trading", "Evil"], "apps": [], "layouts": [], "disabled": False}
STAGES = [{"percent": 100, "duration": None}]

Attempt = tuple[str, Any]
REACHING: dict[str, Attempt] = {
    "createApp": ("/admin/apps", {**BAD_APP, "definition": {**APP, "name": "new"}}),
    "deleteApp": ("/admin/apps/x", None),
    "changeApp": ("/admin/apps/x", BAD_APP),
    "replaceApp": ("/admin/apps/x", BAD_APP),
    "rollBackApp": ("/admin/apps/x/rollback", {"revision": "{first}"}),
    "importApps": ("/admin/imports/apps", {"applications": [{**APP, "title": "evil"}], "overwrite": True}),
    "startAppBatch": ("/admin/batches/apps", {"key": "a", "action": "delete", "ids": ["x"]}),
    "startAppRollout": ("/admin/rollouts/apps", {"key": "x", "content": BAD_APP["definition"], "stages": STAGES}),
    "createLayout": ("/admin/layouts", BAD_LAYOUT),
    "deleteLayout": ("/admin/layouts/{layout}", None),
    "changeLayout": ("/admin/layouts/{layout}", {"definition": BAD_LAYOUT["definition"]}),
    "replaceLayout": ("/admin/layouts/{layout}", BAD_LAYOUT),
    "rollBackLayout": ("/admin/layouts/{layout}/rollback", {"revision": "{first}"}),
    "importLayouts": ("/admin/imports/layouts", {"layouts": [LAYOUT], "owner": "eve"}),
    "startLayoutBatch": ("/admin/batches/layouts", {"key": "b", "action": "delete", "ids": ["{layout}"]}),
    "startLayoutRollout": (
        "/admin/rollouts/layouts",
        {"key": "{layout}", "content": {**BAD_LAYOUT["definition"], "name": "desk"}, "stages": STAGES},
    ),
    "createConfig": ("/admin/configs", BAD_FILE),
    "deleteConfig": ("/admin/configs/{config}", None),
    "changeConfig": ("/admin/configs/{config}", {"contents": EVIL["contents"]}),
    "replaceConfig": ("/admin/configs/{config}", BAD_FILE),
    "rollBackConfig": ("/admin/configs/{config}/rollback", {"revision": "{first}"}),
    "startConfigBatch": ("/admin/batches/configs", {"key": "c", "action": "delete", "ids": ["{config}"]}),
    "startConfigRollout": (
        "/admin/rollouts/configs",
        {"key": "{config}", "content": EVIL["contents"], "stages": STAGES},
    ),
    "createPreference": ("/admin/prefs", {"user": "eve", "app": "new", "data": {"evil": True}}),
    "deletePreference": ("/admin/prefs/{preference}", None),
    "changePreference": ("/admin/prefs/{preference}", {"data": {"evil": True}}),
    "replacePreference": ("/admin/prefs/{preference}", {"user": "eve", "app": "x", "data": {"evil": True}}),
    "rollBackPreference": ("/admin/prefs/{preference}/rollback", {"revision": "{first}"}),
    "startPreferenceBatch": ("/admin/batches/prefs", {"key": "d", "action": "delete", "ids": ["{preference}"]}),
    "createUser": ("/admin/users", {"id": "new", "groups": ["Trading"]}),
    "deleteUser": ("/admin/users/eve", None),
    "changeUser": ("/admin/users/eve", {"groups": ["Trading", "Evil"]}),
    "replaceUser": ("/admin/users/eve", BAD_USER),
    "rollBackUser": ("/admin/users/eve/rollback", {"revision": "{first}"}),
    "startUserBatch": (
        "/admin/batches/users",
        {"key": "e", "action": "addToGroups", "ids": ["eve"], "arguments": {"groups": ["Evil"]}},
    ),
    "startUserImport": (
        "/admin/batches/users/import",
        {"key": "f", "csv": "id,groups\neve,Evil\n", "count": 1},
    ),
    "createGroup": ("/admin/groups", {"name": "Into", "expandsTo": ["Trading"]}),
    "deleteGroup": ("/admin/groups/FX", None),
    "changeGroup": ("/admin/groups/Trading", {"expandsTo": ["Evil"]}),
    "replaceGroup": ("/admin/groups/Trading", {"name": "Trading", "priority": 0, "expandsTo": ["Evil"]}),
    "rollBackGroup": ("/admin/groups/Trading/rollback", {"revision": "{first}"}),
    "startGroupBatch": ("/admin/batches/groups", {"key": "g", "action": "delete", "ids": ["FX"]}),
    **{
        f"rollBackAll{kind.title()}": (
            f"/admin/history/{'prefs' if kind == 'preferences' else kind}/rollback",
            {"revision": "{start}"},
        )
        for kind in ("apps", "layouts", "configs", "preferences", "users", "groups")
    },
    "createPasswordLinks": ("/admin/password-links", {"users": ["eve"]}),
    # As a user: a layout of the administrator that the group receives.
    "saveLayout": ("/layouts", {"layout": {**LAYOUT, "name": "mine", "metadata": {"evil": True}}}),
    "saveLayoutAtLayoutsLayouts": (
        "/layouts/layouts",
        {"layout": {**LAYOUT, "name": "mine", "metadata": {"evil": True}}},
    ),
    "renameLayout": ("/layouts", {"layout": {**LAYOUT, "name": "mine"}, "newName": "evil"}),
    "renameLayoutAtLayoutsLayouts": ("/layouts/layouts", {"layout": {**LAYOUT, "name": "mine"}, "newName": "evil"}),
    "removeLayouts": ("/layouts", {"name": "mine", "type": "Global"}),
    "removeLayoutsAtLayoutsLayouts": ("/layouts/layouts", {"name": "mine", "type": "Global"}),
    "saveUserLayout": ("/user/layouts", {"name": "mine", "type": "Global", "definition": '{"components": []}'}),
    "removeAllUserLayouts": ("/user/layouts", None),
    "removeUserLayout": ("/user/layouts/{mine}", None),
    "renameUserLayout": ("/user/layouts/{mine}/rename", {"newName": "evil"}),
}
"""Attempts by which a member would receive something else, as address and body."""

ROLLOUTS = [f"{step}{kind}Rollout" for kind in ("App", "Layout", "Config") for step in ("advance", "finish", "resume")]
BATCHES = ["App", "Layout", "Config", "Preference", "User", "Group"]
RECORDS = ["Command", "CrashGroup", "Crash", "Directory", "Feedback", "Machine", "Session", "Token"]
NOT_REACHING: dict[str, list[str]] = {
    "writes nothing": [
        *(f"preview{kind}Batch" for kind in [*BATCHES, *RECORDS]),
        *(f"preview{kind}" for kind in ("Apps", "Layouts", "Configs", "Users", "Groups", "UserImport", "CommandRun")),
        *(f"preview{kind}Rollout" for kind in ("App", "Layout", "Config")),
        *("explainConfigDraft", "validateConfig", "postSystemConfig", "openPasswordLink", "platformPoll"),
    ],
    "continues a roll-out, in the tests of roll-outs and of effects": ROLLOUTS,
    "starts no further stage, or gives users the saved version again, in the tests of effects": [
        f"{step}{kind}Rollout" for kind in ("App", "Layout", "Config") for step in ("halt", "withdraw")
    ],
    "continues or ends a batch, whose parts pass the rules one by one": [
        f"{step}{kind}Batch" for kind in [*BATCHES, *RECORDS] for step in ("cancel", "resume")
    ],
    "changes records that are no documents": [
        *(f"start{kind}Batch" for kind in RECORDS),
        *("sendCommand", "startCommandRun", "cancelCommandRun", "continueCommandRun", "pauseCommandRun"),
        *("deleteCommand", "changeCrashGroup", "addCrashGroupNote", "deleteCrash", "reviewCrash", "createDirectory"),
        *("revokeDirectory", "deleteFeedback", "reviewFeedback", "addFeedbackNote", "deleteMachine", "endSession"),
        *(
            "createToken",
            "revokeToken",
            "signOutUser",
            "createView",
            "deleteView",
            "changeView",
            "sendCrash",
            "sendFeedback",
        ),
    ],
    "replaces everything, in a test of its own": ["importServer"],
    "decides a proposal, in the tests of proposals": ["approveProposal", "rejectProposal"],
    "changes only what the caller receives": [
        *("setDefaultLayout", "setDefaultLayoutAtDefault", "setDefaultLayoutAtLayoutsLayoutsDefault"),
        *("setUserDefaultLayout", "clearPreferences", "savePreferences", "clearUserPreferences"),
        *("saveUserPreferences", "removeUserPreference"),
    ],
    "signs in or out, confirms the identity, or opens and closes sessions": [
        *("logOut", "confirmIdentity", "changeOwnPassword", "signOutEverywhere", "createOwnToken", "revokeOwnToken"),
        *("usePasswordLink", "openSession", "closeSession", "touchSession", "answerCommand", "refreshToken"),
        *("platformGoodbye", "platformHello", "platformRefresh"),
    ],
}


def writing() -> dict[str, str]:
    """The methods of the operations that can write."""
    return {name: method for name, method, *_ in operations() if method != "get"}


def test_every_operation_that_writes_is_listed_once() -> None:
    listed = [*REACHING, *(name for names in NOT_REACHING.values() for name in names)]
    assert len(listed) == len(set(listed))
    missing, unknown = writing().keys() - set(listed), set(listed) - writing().keys()
    assert not missing, f"add {sorted(missing)} to REACHING or NOT_REACHING"
    assert not unknown, f"no such operation: {sorted(unknown)}"


async def received(api: Api) -> dict[str, Any]:
    """What the members receive."""
    found: dict[str, Any] = {}
    for member in ("eve", "tom"):
        client = person(api, member)
        for path in ("/apps", "/layouts", "/prefs/all", "/layouts/default", "/user/layouts"):
            found[f"{member} {path}"] = (await client.get(path)).json()
        files = await client.request("POST", "/systemConfig/get", json={})
        found[f"{member} files"] = files.json()
    return found


async def filled(store: str, clock: SettableClock) -> dict[str, str]:
    """Fill a manager, and return the keys of its documents. Each document has an older revision with other content."""
    async with running_api(manager_config(store), clock) as first:
        admin = first.admin
        await first.add_user("ann", ADMIN)

        async def made(method: str, path: str, body: Any) -> dict[str, Any]:
            answer = await admin.request(method, path, json=body)
            assert answer.status_code in (200, 201), answer.text
            found: dict[str, Any] = answer.json()
            return found

        await made("POST", "/admin/groups", {"name": "Trading", "expandsTo": ["Evil"]})
        await first.add_user("eve", "Trading", "Evil")
        await first.add_user("tom", "FX")
        keys = {"app": "x", "user": "eve", "group": "Trading"}
        await made("POST", "/admin/apps", {"definition": {**APP, "title": "old"}, "accessList": ["Trading"]})
        layout = {"definition": {**LAYOUT, "name": "desk"}, "owner": "*", "accessList": ["Trading"]}
        old = {**layout, "definition": {**layout["definition"], "metadata": {"old": True}}}  # type: ignore[dict-item]
        keys["layout"] = (await made("POST", "/admin/layouts", old))["id"]
        mine = {"definition": {**LAYOUT, "name": "mine"}, "owner": "ann", "accessList": ["Trading"]}
        keys["mine"] = (await made("POST", "/admin/layouts", mine))["id"]
        config = {"file": "system.json", "group": "Trading", "contents": {"a": "old"}}
        keys["config"] = (await made("POST", "/admin/configs", config))["id"]
        preference = {"user": "eve", "app": "x", "data": {"a": "old"}}
        made_last = await made("POST", "/admin/prefs", preference)
        keys["preference"], keys["first"] = made_last["id"], str(made_last["revision"])
        await made("PATCH", "/admin/apps/x", {"definition": APP})
        await made("PATCH", f"/admin/layouts/{keys['layout']}", {"definition": layout["definition"]})
        await made("PATCH", f"/admin/configs/{keys['config']}", {"contents": {"a": "new"}})
        await made("PATCH", f"/admin/prefs/{keys['preference']}", {"data": {"a": "new"}})
        await made("PATCH", "/admin/groups/FX", {"expandsTo": ["Trading"]})
        await made("PATCH", "/admin/groups/Trading", {"expandsTo": []})
        await made("PATCH", "/admin/users/eve", {"groups": ["Trading"]})
        return {**keys, "start": keys["first"]}


async def attempt(client: httpx.AsyncClient, method: str, attempted: Attempt, keys: dict[str, str]) -> httpx.Response:
    path, body = attempted
    text = json.dumps(body)
    for name, value in keys.items():
        path, text = path.replace(f"{{{name}}}", value), text.replace(f"{{{name}}}", value)
    sent = json.loads(text)
    if sent is not None and "revision" in sent:
        sent["revision"] = int(sent["revision"])
    return await client.request(method, path, **({} if sent is None else {"json": sent}))


@pytest.mark.long
async def test_no_operation_alters_what_members_receive(sqlite: str, clock: SettableClock) -> None:
    keys = await filled(sqlite, clock)
    rules = {"approvalKinds": ALL_KINDS, "approvalGroups": ["Trading"]}
    async with running_api(manager_config(sqlite, changes=rules), clock) as api:
        before = await received(api)
        ann, methods, found = person(api, "ann"), writing(), {}
        for name, attempted in REACHING.items():
            answer = await attempt(ann, methods[name], attempted, keys)
            is_refused = answer.status_code in (403, 409) or '"refused"' in answer.text
            reason = "approval" in answer.text or "shared" in answer.text
            if answer.status_code != 202 and not (is_refused and reason):
                found[name] = f"{answer.status_code} {answer.text[:300]}"
        assert found == {}
        assert await received(api) == before
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


@pytest.mark.long
async def test_an_import_of_a_server_is_refused(tmp_path: Path, clock: SettableClock) -> None:
    async with running_api(manager_config(f"sqlite:///{tmp_path}/one.db"), clock) as other:
        await other.add_user("eve", "Trading")
        exported = (await other.admin.get("/admin/export")).content
    rules = {"approvalKinds": ["config"], "approvalGroups": ["Trading"]}
    async with running_api(manager_config(f"sqlite:///{tmp_path}/two.db", changes=rules), clock) as api:
        tried = await api.admin.post("/admin/import", params={"dryRun": True}, content=exported)
        assert tried.status_code == 200, tried.text
        refused = await api.admin.post("/admin/import", content=exported)
        assert (refused.status_code, "approval" in refused.text) == (409, True)
        assert (await api.admin.get("/admin/users/eve")).status_code == 404
