"""Every operation that changes something leaves exactly one entry: taken from the OpenAPI document, none left out."""

import json
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from itertools import count
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from rostrum.base import json_text
from rostrum.base.clock import SettableClock
from rostrum.manager.audit.file import verify_lines
from rostrum.manager.audit.service import READ_PERMISSIONS
from rostrum.manager.kinds import Kind
from tests.conftest import ADMIN, ORIGIN, Api, manager_config, running_api
from tests.manager.http.batch_actions import REMOVALS
from tests.manager.http.openapi_document import DOCUMENT

OPERATIONS = {
    operation["operationId"]: (method.upper(), path.removeprefix("/api"))
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}
TOLD = {"exportServer"}
"""Reads that add an audit entry, because they return all data of the server."""
WRITES = {name for name, (method, _) in OPERATIONS.items() if method != "GET"} | TOLD
ONLY_NEW = {"importServer"}
"""Takes a server without content: what it leaves is in test_transfer.py."""

OF_BATCHES = {name for name in OPERATIONS if re.fullmatch(r"(start|resume|cancel)[A-Za-z]+Batch", name)}
OF_BATCHES |= {"startUserImport"}
"""Leave one entry for each document and one for the batch: see tests/manager/batches."""

PREVIEW = {"changes": [{"action": "delete", "key": "x"}]}
RUN = {"command": "Restart", "target": {"filter": {}}}
"""A command run; with a start time, nothing is sent in the background."""
LATER = {"key": "k", **RUN, "startAt": "2026-06-01T00:00:00Z"}
QUESTIONS: dict[str, Any] = {
    "validateConfig": {"file": "system.json", "contents": {"a": 1}},
    "explainConfigDraft": {"draft": {"file": "system.json", "contents": {"a": 1}}},
    "previewCommandRun": RUN,
    "previewUserImport": {"csv": "id\nx\n"},
    **{f"preview{kind}Rollout": {"key": "x", "stages": [{"percent": 10}]} for kind in ("App", "Layout", "Config")},
    **{f"preview{kind}Batch": {"action": action, "ids": ["x"]} for kind, action in REMOVALS.items()},
}
CHANGE_NOTHING = {
    **dict.fromkeys(
        (name for name in OPERATIONS if name.startswith("preview")), "a question about writes that are not made"
    ),
    "validateConfig": "a question about a file that is not saved",
    "explainConfigDraft": "a question about a file that is not saved",
    "postSystemConfig": "a question, asked with POST because desktops do",
    "openPasswordLink": "a question about a link",
    "refreshToken": "signs a token and keeps nothing",
    "platformPoll": "a query, and a heartbeat",
    "platformRefresh": "signs a token and keeps nothing",
    "touchSession": "a heartbeat: thousands of desktops send one every half minute",
}

NEED_MORE = {"getPreferences", "openPasswordLink", "platformRefresh"}
"""Refused without a name or a token; they change nothing either way."""

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}
LAYOUT = {"name": "Morning", "type": "Global", "components": []}

numbers = count(1)


async def make(admin: httpx.AsyncClient, url: str, key: str, **options: Any) -> str:
    answer = await admin.post(url, **options)
    assert answer.status_code in (200, 201), answer.text
    return str(answer.json()[key] if answer.headers["content-type"].startswith("application/json") else answer.text)


async def new_app(admin: httpx.AsyncClient) -> str:
    definition = {**APP, "name": f"app/{next(numbers)} ä"}
    return await make(admin, "/admin/apps", "name", json={"definition": definition, "accessList": ["Desk"]})


async def new_layout(admin: httpx.AsyncClient) -> str:
    definition = {**LAYOUT, "name": f"layout {next(numbers)}"}
    return await make(admin, "/admin/layouts", "id", json={"definition": definition, "owner": "admin"})


async def new_preference(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/admin/prefs", "id", json={"user": "admin", "app": f"{next(numbers)}", "data": {"a": 1}})


async def new_config(admin: httpx.AsyncClient) -> str:
    body = {"file": "system.json", "version": f"10.{next(numbers)}", "contents": {"a": {"b": 1}}}
    return await make(admin, "/admin/configs", "id", json=body)


async def new_user(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/admin/users", "id", json={"id": f"user {next(numbers)}", "password": "secret word"})


async def new_link(admin: httpx.AsyncClient) -> str:
    await admin.post("/admin/users", json={"id": "linked"})
    made = await admin.post("/admin/password-links", json={"users": ["linked"]})
    return str(made.json()["items"][0]["token"])


async def new_group(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/admin/groups", "name", json={"name": f"group {next(numbers)}"})


async def new_session(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/sessions", "id", json={"machine": {"name": "pc"}, "version": "10.1"})


async def new_machine(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/sessions", "machine", json={"machine": {"id": f"pc {next(numbers)}"}})


async def new_crash(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/crashes", "id", data={"_productName": "x"}, files={"upload_file_minidump": b"MDMP"})


async def new_crash_group(admin: httpx.AsyncClient) -> str:
    await new_crash(admin)
    return str((await admin.get("/admin/crash-groups?limit=1")).json()["items"][0]["id"])


async def new_feedback(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/feedback", "id", data={"description": "good"}, files={"attachment": ("a.zip", b"PK")})


async def new_directory(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/admin/directories", "id", json={"user": "admin"})


async def new_view(admin: httpx.AsyncClient) -> str:
    body = {"list": "users", "name": f"view {next(numbers)}", "search": "q=a"}
    return await make(admin, "/admin/views", "id", json=body)


async def new_token(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/me/tokens", "id", json={"name": f"token {next(numbers)}", "expiresInDays": 1})


async def new_preference_of_app(admin: httpx.AsyncClient) -> str:
    app = f"app/{next(numbers)} ä"
    assert (await admin.post("/prefs", json={"app": app, "data": 1})).status_code == 201
    return app


async def new_run(admin: httpx.AsyncClient) -> str:
    return await make(admin, "/admin/commands/runs", "id", json={**LATER, "key": f"k{next(numbers)}"})


APPROVED = {"approvalKinds": ["group"], "approvalGroups": ["Guarded"], "approverHours": 0}
"""Settings with which only groups that inherit from one group require approval."""


async def new_proposal(admin: httpx.AsyncClient) -> str:
    author = {"id": f"author-{next(numbers)}", "password": "author-password", "groups": ["PLATFORM_SERVER_ADMIN"]}
    await make(admin, "/admin/users", "id", json=author)
    body = {"name": f"guarded-{next(numbers)}", "expandsTo": ["Guarded"]}
    answer = await admin.post("/admin/groups", json=body, auth=(str(author["id"]), "author-password"))
    assert answer.status_code == 202, answer.text
    return str(answer.json()["proposal"]["id"])


async def rollout_of(admin: httpx.AsyncClient, kind: str) -> dict[str, Any]:
    """Make a document, and give the roll-out of a change of it."""
    stages = [{"percent": 10, "duration": None}, {"percent": 20, "duration": None}]
    if kind == "apps":
        key = await new_app(admin)
        return {"key": key, "stages": stages, "content": {**APP, "name": key, "title": "new"}}
    if kind == "layouts":
        definition = {**LAYOUT, "name": f"layout {next(numbers)}"}
        key = await make(admin, "/admin/layouts", "id", json={"definition": definition, "owner": "*"})
        return {"key": key, "stages": stages, "content": {**definition, "metadata": {"a": 1}}}
    return {"key": await new_config(admin), "stages": stages, "content": {"a": {"b": 2}}}


async def new_rollout(admin: httpx.AsyncClient, kind: str) -> str:
    return await make(admin, f"/admin/rollouts/{kind}", "id", json=await rollout_of(admin, kind))


NEW: dict[str, Callable[[httpx.AsyncClient], Awaitable[str]]] = {
    "app_name": new_app,
    "config_id": new_config,
    "crash_id": new_crash,
    "directory_id": new_directory,
    "view_id": new_view,
    "feedback_id": new_feedback,
    "group_id": new_crash_group,
    "group_name": new_group,
    "layout_id": new_layout,
    "machine_id": new_machine,
    "preference_app": new_preference_of_app,
    "preference_id": new_preference,
    "proposal_id": new_proposal,
    "run_id": new_run,
    "session_id": new_session,
    "token_id": new_token,
    "user_id": new_user,
}
DOCUMENTS = {
    "apps": "app_name",
    "configs": "config_id",
    "groups": "group_name",
    "layouts": "layout_id",
    "prefs": "preference_id",
    "users": "user_id",
}


async def existing(admin: httpx.AsyncClient, path: str) -> dict[str, Any]:
    """Make everything that a path names."""
    keys: dict[str, Any] = {}
    for name in re.findall(r"{(\w+)}", path):
        if name == "command_id":
            session = keys.get("session_id") or await new_session(admin)
            sent = await admin.post("/admin/commands", json={"session": session, "command": "Restart"})
            keys[name] = sent.json()["items"][0]["id"]
        elif name == "rollout_id":
            keys[name] = await new_rollout(admin, path.split("/")[3])
        elif name == "batch_id":
            keys[name] = "x"
        else:
            keys[name] = await NEW[DOCUMENTS[path.split("/")[2]] if name == "document_id" else name](admin)
    if re.fullmatch(r"/admin/rollouts/\w+", path):
        keys["rollout"] = await rollout_of(admin, path.split("/")[3])
    if path.endswith("{rollout_id}/resume"):
        halted = path.replace("/resume", "/halt").format(**keys)
        assert (await admin.post(halted)).status_code == 200
    if path.endswith("/continue"):
        assert (await admin.post(f"/admin/commands/runs/{keys['run_id']}/pause")).status_code == 200
    return keys


BODIES: dict[str, Any] = {
    "AppEntry": lambda keys: {"definition": {**APP, "name": keys.get("app_name", "fresh")}, "public": True},
    "AppChange": {"public": True},
    "AppImport": {"applications": [{**APP, "name": "imported"}, {**APP, "name": "imported too"}]},
    "LayoutEntry": lambda _: {"definition": {**LAYOUT, "name": f"Evening {next(numbers)}"}, "owner": "*"},
    "LayoutChange": {"public": True},
    "LayoutImport": {"layouts": [{**LAYOUT, "name": "Imported"}]},
    "LayoutSave": {"layout": LAYOUT},
    "LayoutRename": {"layout": LAYOUT, "newName": "Noon"},
    "LayoutRemoval": {"ids": ["Morning (Global)"]},
    "DefaultChoice": {"name": "Morning", "type": "Global"},
    "NewPreference": {"user": "admin", "app": "fresh", "data": {}},
    "PreferenceDocument": {"data": {"b": 2}},
    "PreferenceChange": {"data": {"b": 2}},
    "PreferenceSave": {"app": "blotter", "data": {"c": 3}},
    "PreferenceRemoval": {"app": "blotter"},
    "ConfigDocument": lambda _: {"file": f"file{next(numbers)}.json", "contents": {"x": 1}},
    "ConfigChange": {"contents": {"y": 1}},
    "NewCommandRun": LATER,
    "NewRollout": lambda keys: keys["rollout"],
    "NewBatch": {"key": "k", "action": "delete", "ids": ["x"]},
    "Review": {"reviewed": True, "comment": "seen"},
    "FeedbackReview": {"reviewed": True, "comment": "seen"},
    "Triage": {"status": "investigating"},
    "NewNote": {"text": "seen"},
    "NewUser": {"id": "fresh user"},
    "PasswordChange": {"current": "own-password", "new": "another password"},
    "IdentityConfirmation": {"password": ADMIN[1]},
    "UserDocument": {"email": "ann@example.com"},
    "UserChange": {"groups": ["Desk"]},
    "NewGroup": {"name": "Fresh"},
    "GroupDocument": {"priority": 3},
    "GroupChange": {"priority": 4},
    "NewDirectory": {"user": "admin"},
    "NewUserImport": {"key": "k", "csv": "id\nfresh\n"},
    "SignOutEverywhere": {"apiTokens": True, "plannedWork": True},
    "UserSignOut": {"apiTokens": True, "plannedWork": True},
    "NewSavedView": lambda _: {"list": "users", "name": f"view {next(numbers)}", "search": "q=a"},
    "SavedViewChange": {"search": "q=b"},
    "NewApiToken": lambda _: {"name": f"token {next(numbers)}", "expiresInDays": 1},
    "NewUserApiToken": lambda _: {"user": "admin", "name": f"token {next(numbers)}", "expiresInDays": 1},
    "Hello": {"machine": {"name": "pc"}, "glue": {"version": "4.4"}},
    "UserLayoutSave": lambda _: {"type": "Global", "name": f"Own {next(numbers)}", "definition": json.dumps(LAYOUT)},
    "LayoutNewName": lambda _: {"newName": f"Renamed {next(numbers)}"},
    "UserPreferenceSave": {"app": "blotter", "data": {"d": 4}, "merge": True},
    "SessionOpening": {"machine": {"name": "pc"}, "version": "10.1"},
    "CommandResult": {"status": "done"},
    "RollBack": lambda keys: {"revision": keys["revision"]},
    "RollBackAll": lambda keys: {"revision": keys["revision"]},
}
FORMS: dict[str, Any] = {
    "sendCrash": {"data": {"_productName": "x"}, "files": {"upload_file_minidump": b"MDMP"}},
    "sendFeedback": {"data": {"description": "good"}, "files": {"attachment": ("a.zip", b"PK")}},
    "importServer": {"content": b"{}"},
}
NEED_LAYOUT = ("renameLayout", "removeLayouts", "setDefaultLayout")


NAMING: dict[str, Any] = {
    "setUserDefaultLayout": (new_layout, lambda key: {"id": key}),
    "platformGoodbye": (new_session, lambda key: {"session": key}),
    "createPasswordLinks": (new_user, lambda key: {"users": [key]}),
    "usePasswordLink": (new_link, lambda key: {"token": key, "password": "another word"}),
    "sendCommand": (new_session, lambda key: {"session": key, "command": "Restart"}),
}
"""Bodies that name something that must exist: what makes it, and the body."""


async def request_for(admin: httpx.AsyncClient, operation: str) -> tuple[str, str, dict[str, Any]]:
    """Prepare what an operation needs, and give the request that changes something."""
    method, path = OPERATIONS[operation]
    if operation.startswith(NEED_LAYOUT):
        await admin.post("/layouts", json={"layout": LAYOUT})
        await admin.request("DELETE", "/layouts", json={"ids": ["Noon (Global)"]})
    if operation in ("clearPreferences", "clearUserPreferences"):
        await admin.post("/prefs", json={"app": "blotter", "data": 1})
    keys = await existing(admin, path)
    keys["revision"] = (await admin.get("/admin/audit?limit=1&sort=-revision")).json()["items"][0]["revision"]
    if operation.startswith("rollBackAll"):
        await NEW[DOCUMENTS[path.split("/")[3]]](admin)
    url = path.format(**{name: quote(str(key), safe="") for name, key in keys.items()})
    if operation in FORMS:
        return method, url, FORMS[operation]
    if operation == "removeAllUserLayouts":
        await new_layout(admin)
    if operation in NAMING:
        made, body_with = NAMING[operation]
        return method, url, {"json": body_with(await made(admin))}
    content = DOCUMENT["paths"][f"/api{path}"][method.lower()].get("requestBody", {}).get("content")
    if content is None:
        return method, url, {}
    body = BODIES[_name(content["application/json"]["schema"])]
    return method, url, {"json": body(keys) if callable(body) else body}


def _name(schema: dict[str, Any]) -> str:
    kinds = [schema, *schema.get("oneOf", [])]
    return str(next(kind["$ref"] for kind in kinds if "$ref" in kind).rpartition("/")[2])


async def entries(admin: httpx.AsyncClient, **filters: Any) -> list[dict[str, Any]]:
    answer = await admin.get("/admin/audit", params={"limit": 1000, **filters})
    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["items"]) or len(answer.json()["items"]) == 1000
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


async def newest(admin: httpx.AsyncClient) -> int:
    return int((await admin.get("/admin/audit?limit=1")).json()["items"][0]["number"])


async def entries_after(admin: httpx.AsyncClient, number: int) -> list[dict[str, Any]]:
    """The few entries after one: reading all of them after each operation would take long."""
    items = (await admin.get("/admin/audit?limit=20")).json()["items"]
    found = [entry for entry in items if entry["number"] > number]
    assert len(found) < len(items)
    return found


@pytest.fixture
async def either(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each database in turn."""
    async with running_api(manager_config(store, changes=APPROVED), clock) as running:
        yield running


@pytest.mark.long
async def test_every_operation_that_changes_something_leaves_exactly_one_entry(either: Api) -> None:
    admin = either.admin
    wrong: dict[str, Any] = {}
    for operation in sorted(WRITES - CHANGE_NOTHING.keys() - ONLY_NEW - OF_BATCHES):
        method, url, options = await request_for(admin, operation)
        client = admin
        if operation in ("logOut", "confirmIdentity"):
            # With Basic alone there is no session to end, and the identity is confirmed.
            client = either.client(cookies={"PLATFORM_SESSION": (await admin.get("/me")).cookies["PLATFORM_SESSION"]})
        actor = ADMIN[0]
        if operation == "changeOwnPassword":
            # Another user changes the password, so that the administrator keeps the password of these tests.
            actor, client = "own", await either.add_user("own")
        if operation == "usePasswordLink":
            actor = "linked"
        before = await newest(admin)
        headers = {"X-Request-Id": f"request-{operation}", "User-Agent": "test/1 \x01x", "Origin": ORIGIN}
        answer = await client.request(method, url, headers=headers, **options)
        found = await entries_after(admin, before)
        told = [(entry["operation"], entry["actor"], entry["origin"], bool(entry["changes"])) for entry in found]
        origin = {"address": "127.0.0.9", "request": f"request-{operation}", "agent": "test/1 x"}
        plain = re.sub(r"At[A-Z].*", "", operation)
        if not answer.is_success or told != [(plain, actor, origin, True)]:
            wrong[operation] = (answer.status_code, answer.text, told)

    assert wrong == {}


@pytest.mark.long
async def test_operations_that_change_nothing_leave_none(api: Api) -> None:
    admin = api.admin
    session = await new_session(admin)
    keys = {name: "x" for _, path in OPERATIONS.values() for name in re.findall(r"{(\w+)}", path)}
    before = await newest(admin)
    for operation in sorted(set(OPERATIONS) - WRITES | CHANGE_NOTHING.keys()):
        method, path = OPERATIONS[operation]
        url = path.format(**{**keys, "session_id": session})
        # A stream of events has no end.
        method = "HEAD" if operation == "listenForEvents" else method
        body = QUESTIONS.get(operation, PREVIEW if operation.startswith("preview") else {})
        answer = await admin.request(method, url, json=body if method in ("POST", "PATCH") else None)
        assert answer.status_code in (200, 201, 204, 404) or operation in NEED_MORE, operation

    assert await newest(admin) == before


@pytest.mark.long
async def test_operations_that_are_refused_leave_none(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, changes=APPROVED), clock) as api:
        await check_refusals(api)


async def check_refusals(api: Api) -> None:
    admin = api.admin
    user = await api.add_user("ann")
    for operation in sorted(WRITES - CHANGE_NOTHING.keys()):
        method, url, options = await request_for(admin, operation)
        before = await newest(admin)
        if "/admin/" in url:
            # A proposal is not known to users who may not read its documents, and a view is known to its owner only.
            refusal = 404 if "/proposals/" in url or "/views/" in url else 403
            assert (await user.request(method, url, **options)).status_code == refusal, operation
        if "412" in DOCUMENT["paths"][f"/api{OPERATIONS[operation][1]}"][method.lower()]["responses"]:
            answer = await admin.request(method, url, **options, headers={"If-Match": '"1"'})
            assert answer.status_code == 412, operation
        assert await newest(admin) == before, operation


async def test_a_heartbeat_that_brings_news_leaves_an_entry(api: Api) -> None:
    session = await new_session(api.admin)
    before = await newest(api.admin)
    for commands in (None, ["Restart"], ["Restart"], None):
        body = {} if commands is None else {"commands": commands}
        assert (await api.admin.patch(f"/sessions/{session}", json=body)).status_code == 200

    (entry,) = [entry for entry in await entries(api.admin) if entry["number"] > before]
    assert (entry["operation"], entry["revision"]) == ("touchSession", None)
    assert entry["changes"][0]["diff"] == [{"op": "add", "path": "/commands/0", "after": "Restart"}]


async def test_entries_are_found_by_who_what_which_and_when(api: Api, clock: SettableClock) -> None:
    admin = api.admin
    ann = await api.add_user("ann", "PLATFORM_MANAGER:APPS:WRITE")
    clock.advance(60)
    await ann.post("/admin/imports/apps", json={"applications": [{**APP, "name": "one"}, {**APP, "name": "two"}]})
    clock.advance(60)
    await admin.patch("/admin/apps/two", json={"public": True})

    async def found(**filters: Any) -> list[str]:
        return [entry["operation"] for entry in await entries(admin, **filters)]

    assert await found(actor="ann") == ["importApps"]
    assert await found(operation="changeApp") == ["changeApp"]
    assert await found(kind="app") == ["changeApp", "importApps"]
    assert await found(kind="app", id="one") == await found(id="one") == ["importApps"]
    assert await found(kind="app", id="two") == ["changeApp", "importApps"]
    assert await found(kind="user", id="two") == []
    assert await found(q="IMPORT") == ["importApps"]
    assert await found(**{"from": "2026-01-01T00:01:00Z"}) == ["changeApp", "importApps"]
    assert await found(**{"from": "2026-01-01T00:01:00Z", "to": "2026-01-01T00:02:00Z"}) == ["importApps"]
    assert await found(to="2026-01-01T01:01:00+01:00") == ["createUser", "start"]
    assert await found(sort="number", limit=1000) == ["start", "createUser", "importApps", "changeApp"]
    assert await found(revision=1) == ["start"]
    (number,) = [entry["number"] for entry in await entries(admin, actor="ann")]
    one = (await admin.get(f"/admin/audit/{number}")).json()
    assert [one] == await entries(admin, actor="ann")
    for query in ("from=yesterday", "to=2026-01-01", "from=2026-01-01T00:00:00", "colour=red", "sort=text"):
        assert (await admin.get(f"/admin/audit?{query}")).status_code == 400, query
    for other in ("0", "999", "x", "9" * 40):
        assert (await admin.get(f"/admin/audit/{other}")).status_code == 404


async def test_secrets_are_masked_and_what_is_large_is_reported_by_its_size(api: Api) -> None:
    contents = {
        "proxy": {"user": "ann", "password": "s3cret-1"},
        "clientSecrets": ["s3cret-2", {"deep": "s3cret-3"}],
        "apiKey": "s3cret-4",
        "tokenRefreshInterval": 3600,
        "long": "x" * 3000,
    }
    body = {"file": "system.json", "contents": contents}
    config = (await api.admin.post("/admin/configs", json=body)).json()["id"]
    contents["proxy"]["password"] = "s3cret-5"  # type: ignore[index]
    contents["long"] = "y" * 3001
    await api.admin.patch(f"/admin/configs/{config}", json={"contents": contents})

    changed, created = await entries(api.admin, kind="config")
    assert "s3cret" not in str(changed) + str(created)
    assert changed["changes"][0]["diff"] == [
        {"op": "replace", "path": "/contents/proxy/password", "before": "(secret)", "after": "(secret)"},
        {"op": "replace", "path": "/contents/long", "beforeSize": 3002, "afterSize": 3003},
    ]
    # The document itself keeps them: anyone who may read it can bring it back.
    assert "s3cret-1" in (await api.admin.get(f"/admin/configs/{config}/revisions/{created['revision']}")).text


async def test_credentials_are_masked_whatever_form_they_have(api: Api) -> None:
    headers = [{"name": "Authorization", "value": "Bearer s3cret-1"}, {"Key": "X-Api-Key", "Value": "s3cret-2"}]
    details = {
        "headers": headers,
        "parameters": "--password s3cret-3 --api-key=s3cret-4 --verbose",
        "pairs": ["a", "b"],
    }
    app: dict[str, Any] = APP
    definition = {
        **app,
        "details": {
            **app["details"],
            "url": "https://ann:s3cret-5@host.example/x?access_token=s3cret-6&view=1",
            "extraHeaders": "Accept: */*\nCookie: s3cret-7",
            "postBody": json.dumps({"inner": {"headers": headers}}),
            "more": {**details, "pairs": [["Authorization", "s3cret-8"]], "text": "Bearer s3cret-9"},
        },
    }
    made = await api.admin.post("/admin/apps", json={"definition": definition})
    assert made.status_code == 201, made.text
    # Single edits, whose names are only beside them in the document.
    headers[0]["value"], headers[1]["Value"] = "s3cret-10", "s3cret-11"
    definition["details"]["more"] = {**details, "pairs": [["Authorization", "s3cret-12"]]}
    changed = await api.admin.patch("/admin/apps/blotter", json={"definition": definition})
    assert changed.status_code == 200, changed.text
    headers[0] = {"name": "Accept", "value": "other"}
    headers.append({"name": "Accept", "value": "plain-1"})
    definition["details"]["more"]["pairs"] = [["Accept", "other"], ["Accept", "plain-2"]]
    await api.admin.patch("/admin/apps/blotter", json={"definition": definition})

    found = str(await entries(api.admin, kind="app"))
    assert "s3cret" not in found
    for kept in ("plain-1", "plain-2", "X-Api-Key", "--verbose", "view=1", "host.example", "Accept: */*"):
        assert kept in found


@pytest.mark.long
async def test_an_import_of_many_is_one_entry_of_bounded_size_that_leads_to_each(api: Api) -> None:
    apps = [{**APP, "name": f"app {number}", "title": "x" * 900} for number in range(300)]
    imported = await api.admin.post("/admin/imports/apps", json={"applications": apps})
    assert imported.status_code == 200

    answer = await api.admin.get("/admin/audit?limit=1")
    (entry,) = answer.json()["items"]
    assert (entry["operation"], entry["changed"], len(entry["changes"])) == ("importApps", 300, 100)
    assert len(answer.content) < 120_000
    assert any(change.get("omitted") for change in entry["changes"])
    for name in ("app 0", "app 150", "app 299"):
        assert [found["number"] for found in await entries(api.admin, kind="app", id=name)] == [entry["number"]]


async def test_no_operation_writes_the_audit() -> None:
    methods = {method for method, path in OPERATIONS.values() if path.startswith("/admin/audit")}

    assert methods == {"GET"}


async def test_the_chain_is_verified_and_exported(api: Api) -> None:
    admin = api.admin
    for _ in range(5):
        await new_app(admin)
    verified = (await admin.get("/admin/audit/verify")).json()
    assert (verified["ok"], verified["fault"], verified["entries"]) == (True, None, await newest(admin))
    for head, status in ((verified["head"], 200), ("5", 400), ("1:xyz", 400)):
        assert (await admin.get("/admin/audit/verify", params={"head": head})).status_code == status
    exported = await admin.get("/admin/audit/export")
    assert exported.headers["content-type"].startswith("application/x-ndjson")
    lines = exported.text.splitlines(keepends=True)
    assert [json_text.parse(line) for line in lines] == (await entries(admin))[::-1]
    assert verify_lines(lines, verified["head"]).fault is None

    with closing(sqlite3.connect(api.config.store.removeprefix("sqlite:///"))) as database, database:
        database.execute("UPDATE audit SET entry = replace(entry, 'Desk', 'Disk') WHERE number = 3")
    broken = (await admin.get("/admin/audit/verify")).json()
    assert (broken["ok"], broken["entries"], broken["fault"]["number"]) == (False, 2, 3)


async def test_an_exported_file_that_was_changed_is_found(api: Api) -> None:
    for _ in range(3):
        await new_app(api.admin)
    lines = (await api.admin.get("/admin/audit/export")).text.splitlines(keepends=True)
    known = f"{len(lines)}:{json_text.parse(lines[-1])['hash']}"

    def fault(changed: list[str], head: str | None = None) -> int | None:
        found = verify_lines(changed, head).fault
        return None if found is None else found.number

    assert fault(lines) is fault(lines, known) is None
    assert fault([*lines[:1], *lines[2:]]) == 3
    assert fault([lines[0], lines[2], lines[1], *lines[3:]]) == 3
    assert fault([*lines[:2], lines[2].replace("created", "deleted"), *lines[3:]]) == 3
    assert fault([*lines[:2], "{}\n", *lines[3:]]) == 3
    assert fault([*lines[:2], "", *lines[3:]]) == 3
    assert fault(lines[:-1]) is None
    assert fault(lines[:-1], known) == len(lines)
    assert fault([], known) == 1
    # What begins late was shortened: its first line is taken as it is.
    assert fault(lines[1:], known) is None


AUDITOR = "PLATFORM_MANAGER:AUDITS:READ"
PRIVATE = "only for those who may read preferences"


def contents_of(entries: list[Any]) -> list[tuple[str, Any]]:
    """The kind of each change, with its contents; ``None`` for contents that are withheld."""
    return [
        (change["kind"], None if change.get("withheld") else change["diff"])
        for entry in entries
        for change in entry["changes"]
    ]


async def test_contents_of_kinds_that_a_reader_may_not_read_are_withheld(api: Api) -> None:
    auditor = await api.add_user("auditor", AUDITOR)
    clerk = await api.add_user("clerk", AUDITOR, "PLATFORM_MANAGER:PREFERENCES:READ")
    await api.admin.post("/prefs", json={"app": "blotter", "data": {"note": PRIVATE}})
    (whole,) = (await api.admin.get("/admin/audit?limit=1")).json()["items"]
    assert PRIVATE in json_text.dump(whole).decode()

    for reader, may in ((auditor, False), (clerk, True)):
        listed = await reader.get("/admin/audit?limit=1000")
        one = await reader.get(f"/admin/audit/{whole['number']}")
        exported = await reader.get("/admin/audit/export")
        for text in (listed.text, one.text, exported.text):
            assert (PRIVATE in text) == may
            assert (whole["changes"][0]["digest"] in text) == may
        (entry,) = [item for item in listed.json()["items"] if item["number"] == whole["number"]]
        # Who did what to which document, and the hash, are for every reader of the audit.
        kept = ("number", "revision", "at", "actor", "operation", "origin", "changed", "hash")
        assert {name: entry[name] for name in kept} == {name: whole[name] for name in kept}
        assert [(change["kind"], change["id"], change["action"]) for change in entry["changes"]] == [
            (change["kind"], change["id"], change["action"]) for change in whole["changes"]
        ]
        assert one.json() == entry
        assert len(exported.text.splitlines()) == listed.json()["total"]

    assert (await auditor.get("/admin/audit/verify")).json()["ok"]


async def test_each_right_shows_the_contents_of_its_own_kind_only(api: Api) -> None:
    clerk = await api.add_user("clerk", AUDITOR, "PLATFORM_MANAGER:APPS:READ")
    await new_app(api.admin)
    await api.admin.post("/sessions", json={"machine": {"name": "pc"}, "commands": ["a"]})
    await api.admin.get("/admin/export")

    entries = (await clerk.get("/admin/audit?limit=1000")).json()["items"]

    shown = {kind for kind, contents in contents_of(entries) if contents is not None}
    hidden = {kind for kind, contents in contents_of(entries) if contents is None}
    assert shown == {"app"}
    assert {"user", "group", "session", "server"} <= hidden


def test_every_kind_of_the_audit_has_a_right_that_shows_its_contents() -> None:
    assert READ_PERMISSIONS.keys() == set(Kind)


async def test_an_export_without_contents_states_that_it_cannot_be_verified(api: Api) -> None:
    auditor = await api.add_user("auditor", AUDITOR)
    exported = await auditor.get("/admin/audit/export")

    fault = verify_lines(exported.text.splitlines(keepends=True)).fault

    assert fault is not None
    assert fault.message == (
        "line 1 lacks contents that the user who exported the audit may not read; verify an export of an administrator"
    )
