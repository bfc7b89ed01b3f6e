"""A stolen session cookie: nothing durable can be made with it without the password."""

import re
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.http.authentication import TOLD
from rostrum.manager.http.openapi_responses import ALWAYS, COMMANDS, CONFIRMED, RIGHTS
from rostrum.manager.web import api_handlers
from tests.conftest import ADMIN, Api, running_api
from tests.manager.http.openapi_document import DOCUMENT

ADMIN_GROUP = "PLATFORM_SERVER_ADMIN"
READ_APPS = "PLATFORM_MANAGER:APPS:READ"
WRITE_USERS = "PLATFORM_MANAGER:USERS:WRITE"
OWN = {"origin": "http://manager.example.com"}
NEW_TOKEN = {"name": "nightly", "permissions": [ADMIN_GROUP], "expiresInDays": 90}
KEY = "0123456789ab"
CSV = f"id,groups\neve,{ADMIN_GROUP}\n"


async def stolen(api: Api, user: tuple[str, str] = ADMIN) -> httpx.AsyncClient:
    """A client with only the session cookie of a user."""
    cookie = (await api.client(user).get("/signin")).cookies["PLATFORM_SESSION"]
    return api.client(cookies={"PLATFORM_SESSION": cookie}, headers=OWN)


async def confirmed(client: httpx.AsyncClient, password: str = ADMIN[1]) -> dict[str, str]:
    """The header with which a client of a session confirms that it knows the password."""
    answer = await client.post("/me/confirm", json={"password": password})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return {"confirmation": answer.json()["confirmation"]}


def batch(action: str, ids: list[str], **arguments: Any) -> dict[str, Any]:
    return {"key": KEY, "action": action, "ids": ids, "arguments": arguments}


ATTACKS: dict[str, tuple[str, str, Any]] = {
    "an own API token": ("POST", "/me/tokens", NEW_TOKEN),
    "an API token of a service account": ("POST", "/admin/tokens", {**NEW_TOKEN, "permissions": [], "user": "robot"}),
    "a new administrator": ("POST", "/admin/users", {"id": "eve", "groups": [ADMIN_GROUP]}),
    "a new user with a password": ("POST", "/admin/users", {"id": "eve", "password": "eves long password"}),
    "a new user of a group with rights": ("POST", "/admin/users", {"id": "eve", "groups": ["Leaders"]}),
    "a new service account with rights": (
        "POST",
        "/admin/users",
        {"id": "eve", "service": True, "groups": [READ_APPS]},
    ),
    "a right for a user": ("PATCH", "/admin/users/ann", {"groups": [READ_APPS]}),
    "a right for a user in a replacement": ("PUT", "/admin/users/ann", {"groups": [ADMIN_GROUP]}),
    "the password of another user": ("PATCH", "/admin/users/ann", {"password": "another password"}),
    "the password of the cookie's user": ("PATCH", "/admin/users/admin", {"password": "another password"}),
    "a disabled administrator who is enabled": ("PATCH", "/admin/users/old", {"disabled": False}),
    "a group that inherits a right": ("PATCH", "/admin/groups/Desk", {"expandsTo": [ADMIN_GROUP]}),
    "a group that inherits from one with rights": ("PUT", "/admin/groups/Desk", {"expandsTo": ["Leaders"]}),
    "a new group that inherits a right": ("POST", "/admin/groups", {"name": "New", "expandsTo": [READ_APPS]}),
    "a password link": ("POST", "/admin/password-links", {"users": ["ann"]}),
    "a batch that adds to a group": ("POST", "/admin/batches/users", batch("addToGroups", ["ann"], groups=["Leaders"])),
    "a batch that enables": ("POST", "/admin/batches/users", batch("enable", ["old"])),
    "an import of users": ("POST", "/admin/batches/users/import", {"key": KEY, "csv": CSV}),
    "a rollback of a user": ("POST", "/admin/users/past/rollback", {"revision": 2}),
    "a rollback of all users": ("POST", "/admin/history/users/rollback", {"revision": 2}),
    "an export of everything": ("GET", "/admin/export", None),
    "an import of everything": ("POST", "/admin/import", {}),
    "a directory address": ("POST", "/admin/directories", {"user": "ann", "description": "mine"}),
}


RENEWALS: dict[str, tuple[str, Any]] = {
    "POST /token/refresh": ("/token/refresh", None),
    "POST /user/refresh": ("/user/refresh", "token"),
    "POST /user/hello": ("/user/hello", {}),
    "POST /sessions": ("/sessions", {}),
}


@pytest.fixture
async def firm(api: Api) -> Api:
    """A firm with ordinary and privileged users and groups."""
    await api.add_user("past", ADMIN_GROUP)
    assert (await api.admin.get("/admin/users/past")).json()["revision"] == 2
    await api.admin.post("/admin/groups", json={"name": "Leaders", "expandsTo": [WRITE_USERS]})
    await api.admin.patch("/admin/users/past", json={"groups": []})
    await api.add_user("ann", "Desk")
    await api.add_user("old", ADMIN_GROUP, disabled=True)
    await api.admin.post("/admin/users", json={"id": "robot", "service": True})
    return api


@pytest.mark.long
async def test_a_stolen_cookie_alone_makes_nothing_durable(firm: Api) -> None:
    thief = await stolen(firm)
    for attack, (method, path, body) in ATTACKS.items():
        answer = await thief.request(method, path, json=body)

        assert answer.status_code == 403, (attack, answer.text)
        assert answer.json()["error"]["reason"] == "confirmation_required", attack
    assert (await firm.admin.get("/admin/tokens")).json()["total"] == 0
    assert (await firm.client(("eve", "eves long password")).get("/me")).status_code == 401


@pytest.mark.long
@pytest.mark.parametrize("attack", ATTACKS)
async def test_the_password_again_allows_it(firm: Api, attack: str) -> None:
    method, path, body = ATTACKS[attack]
    client = await stolen(firm)
    client.headers.update(await confirmed(client))
    answer = await client.request(method, path, json=body)

    # What is sent to the import is no export.
    assert answer.status_code in ((400,) if path == "/admin/import" else (200, 201)), answer.text


@pytest.mark.long
@pytest.mark.parametrize("attack", ATTACKS)
async def test_a_program_cannot_confirm(firm: Api, attack: str) -> None:
    made = (await firm.admin.post("/me/tokens", json=NEW_TOKEN)).json()
    program = firm.client(headers={"authorization": f"Bearer {made['token']}"})
    # Not even with the confirmation of a person.
    program.headers.update(await confirmed(await stolen(firm)))
    method, path, body = ATTACKS[attack]
    answer = await program.request(method, path, json=body)

    assert (answer.status_code, "API token" in answer.text) == (403, True), answer.text
    assert "reason" not in answer.json()["error"]
    assert (await program.post("/me/confirm", json={"password": ADMIN[1]})).status_code == 403


@pytest.mark.long
async def test_a_session_and_a_program_do_what_gives_no_rights(firm: Api) -> None:
    made = (await firm.admin.post("/me/tokens", json=NEW_TOKEN)).json()
    program = firm.client(headers={"authorization": f"Bearer {made['token']}"})
    for number, client in enumerate((await stolen(firm), program)):
        for method, path, body in (
            ("POST", "/admin/users", {"id": "bob", "groups": ["Desk"]}),
            ("PATCH", "/admin/users/old", {"groups": [], "email": "old@example.com"}),
            ("PATCH", "/admin/users/old", {"disabled": False}),
            (
                "POST",
                "/admin/batches/users",
                {**batch("addToGroups", ["bob"], groups=["Tokyo"]), "key": f"batch-{number}"},
            ),
            ("POST", "/admin/batches/users/import", {"key": f"import-{number}", "csv": "id,groups\ncarl,Desk\n"}),
            ("PATCH", "/admin/groups/Desk", {"expandsTo": ["Tokyo"]}),
            ("DELETE", "/admin/users/bob", None),
            ("DELETE", "/admin/users/carl", None),
            ("PATCH", "/admin/groups/Leaders", {"expandsTo": []}),
        ):
            answer = await client.request(method, path, json=body)
            assert answer.status_code in (200, 201, 204), (method, path, answer.text)
        # Again for the program.
        await firm.admin.patch("/admin/users/old", json={"groups": [ADMIN_GROUP], "disabled": True})
        assert (await firm.admin.get("/admin/batches/users")).json()["items"][0]["status"] == "done"


async def test_a_confirmation_belongs_to_one_session_and_ends_after_five_minutes(
    api: Api, clock: SettableClock
) -> None:
    await api.add_user("ann", ADMIN_GROUP)
    mine, thief, ann = await stolen(api), await stolen(api), await stolen(api, ("ann", "ann-password"))
    given = await confirmed(mine)

    async def status(client: httpx.AsyncClient, headers: dict[str, str], name: str) -> int:
        return (await client.post("/me/tokens", json={**NEW_TOKEN, "name": name}, headers=headers)).status_code

    # Another client with the same cookie does not profit from the confirmation of its user.
    copy = api.client(cookies=dict(mine.cookies), headers=OWN)
    assert [await status(one, {}, "copy") for one in (mine, copy)] == [403, 403]
    assert [await status(one, given, "other") for one in (thief, ann)] == [403, 403]
    for text in ("", "x", given["confirmation"][:-2], mine.cookies["PLATFORM_SESSION"]):
        assert await status(mine, {"confirmation": text}, "forged") == 403
    assert await status(mine, given, "first") == 201
    clock.advance(299)
    assert await status(mine, given, "last") == 201
    clock.advance(1)
    assert await status(mine, given, "late") == 403
    # It is no credential itself.
    for headers in ({"authorization": f"Bearer {given['confirmation']}"}, {"cookie": "PLATFORM_SESSION=x"}):
        assert (await api.client(headers={**given, **headers}).get("/me")).status_code == 401
    cookie = {"PLATFORM_SESSION": (await confirmed(mine))["confirmation"]}
    assert (await api.client(cookies=cookie).get("/me")).status_code == 401


async def test_a_confirmation_ends_with_a_new_password_and_with_the_session(api: Api) -> None:
    await api.add_user("ann", ADMIN_GROUP)
    ann = await stolen(api, ("ann", "ann-password"))
    given = await confirmed(ann, "ann-password")
    changed = await ann.put("/me/password", json={"current": "ann-password", "new": "a new long password"})
    assert changed.status_code == 204
    ann = api.client(cookies=dict(changed.cookies), headers=OWN)
    assert (await ann.post("/me/tokens", json=NEW_TOKEN, headers=given)).status_code == 403

    given = await confirmed(ann, "a new long password")
    assert (await ann.post("/logout")).status_code == 204
    again = await stolen(api, ("ann", "a new long password"))
    assert (await again.post("/me/tokens", json=NEW_TOKEN, headers=given)).status_code == 403


async def test_a_token_of_the_session_needs_the_confirmation_too(api: Api) -> None:
    client = await stolen(api)
    text = (await client.post("/token/refresh")).json()["token"]
    bearer = api.client(headers={"authorization": f"Bearer {text}"})
    assert (await bearer.post("/me/tokens", json=NEW_TOKEN)).status_code == 403
    bearer.headers.update(await confirmed(bearer))
    assert (await bearer.post("/me/tokens", json=NEW_TOKEN)).status_code == 201
    assert (await api.admin.post("/me/confirm", json={"password": ADMIN[1]})).status_code == 409


async def test_another_node_knows_the_confirmation(api: Api, clock: SettableClock) -> None:
    client = await stolen(api)
    given = await confirmed(client)
    async with running_api(api.config, clock) as other:
        there = other.client(cookies=dict(client.cookies), headers={**OWN, **given})
        assert (await there.post("/me/tokens", json=NEW_TOKEN)).status_code == 201


async def test_wrong_passwords_are_counted_like_sign_ins_and_recorded(
    api: Api, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "rostrum.security")
    client = await stolen(api)
    statuses: list[int] = []
    while 429 not in statuses and len(statuses) < 50:
        answer = await client.post("/me/confirm", json={"password": f"guess {len(statuses)}"})
        statuses.append(answer.status_code)
    assert statuses[0] == 403
    assert statuses[-1] == 429
    assert (await client.post("/me/confirm", json={"password": ADMIN[1]})).status_code == 429
    clock.advance(int(answer.headers["retry-after"]))
    await confirmed(client)

    entry = (await api.admin.get("/admin/audit")).json()["items"][0]
    assert (entry["actor"], entry["operation"]) == ("admin", "confirmIdentity")
    events = [record.message.split()[0] for record in caplog.records]
    assert {"logInRefused", "logInThrottled", "identityConfirmed"} <= set(events)


@pytest.mark.long
async def test_a_batch_in_several_steps_asks_before_it_starts(firm: Api) -> None:
    ids = [f"user{number}" for number in range(1001)]
    rows = "".join(f"{user},Desk\n" for user in ids)
    thief = await stolen(firm)
    sent = {"key": KEY, "csv": f"id,groups\n{rows}"}
    refused = await thief.post("/admin/batches/users/import", json=sent)
    assert refused.json()["error"]["reason"] == "confirmation_required"
    assert (await firm.admin.get("/admin/batches/users")).json()["total"] == 0
    assert (await thief.post(f"/admin/batches/users/{KEY}/resume")).json()["error"]["reason"]


DECLARED = {
    "createOwnToken": ALWAYS,
    "createToken": ALWAYS,
    "createPasswordLinks": ALWAYS,
    "createDirectory": ALWAYS,
    "approveProposal": ALWAYS,
    "exportServer": ALWAYS,
    "importServer": ALWAYS,
    "createUser": RIGHTS,
    "replaceUser": RIGHTS,
    "changeUser": RIGHTS,
    "rollBackUser": RIGHTS,
    "rollBackAllUsers": RIGHTS,
    "startUserBatch": RIGHTS,
    "resumeUserBatch": RIGHTS,
    "startUserImport": RIGHTS,
    "createGroup": RIGHTS,
    "replaceGroup": RIGHTS,
    "changeGroup": RIGHTS,
    "rollBackGroup": RIGHTS,
    "rollBackAllGroups": RIGHTS,
    "sendCommand": COMMANDS,
    "startCommandRun": COMMANDS,
    "continueCommandRun": COMMANDS,
}
"""The operations that require a confirmed identity."""

HARMLESS = {
    # They end or withdraw something, or only calculate.
    r"(delete|revoke|remove|clear|cancel|reject|signOut|close|end|validate|explain|preview|logOut|pause|halt|withdraw|finish)\w*",
    # The password is in the request, or the link is the proof.
    "changeOwnPassword|confirmIdentity|openPasswordLink|usePasswordLink",
    # The session itself, which ends with the sign-in. Browser platforms and desktops renew their tokens.
    "openSession|touchSession|refreshToken|platform(Hello|Poll|Refresh|Goodbye)|answerCommand|postSystemConfig",
    # Own data.
    r"(save|rename|set)(User|Default)?(Layout|Preferences|DefaultLayout)\w*|(create|change)View",
    r"send(Crash|Feedback)|(review|add|change)(Crash|Feedback)\w*",
    # Documents of desktops: the rules for approval protect them.
    r"(create|replace|change|import|rollBack|rollBackAll|start|continue|advance|resume)"
    r"(App|Layout|Preference|Config|Rollout)\w*",
    # Batches that give no rights.
    r"(start|resume)(App|Layout|Preference|Config|Group|Session|Machine|Command|Crash|CrashGroup|Feedback|Directory|Token)Batch",
}
"""All other operations that change something, with the reason. A new operation needs a line here or above."""


def test_each_operation_that_changes_something_is_declared_or_harmless() -> None:
    declared: dict[str, str] = {}
    others: list[str] = []
    for handler in api_handlers():
        name = str(getattr(handler.operation_id, "name", handler.operation_id))
        if CONFIRMED in handler.opt:
            declared[name] = handler.opt[CONFIRMED]
        elif handler.http_methods != {"GET"} or handler.opt.get(TOLD):
            others.append(name)
    assert declared == DECLARED
    missing = [name for name in others if not any(re.fullmatch(rule, name) for rule in HARMLESS)]
    assert not missing, f"add {missing} to DECLARED, or to HARMLESS with the reason"


async def test_each_operation_that_always_requires_it_refuses_a_session_before_it_reads_the_request(api: Api) -> None:
    thief = await stolen(api)
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            names = [parameter["name"] for parameter in operation.get("parameters", [])]
            declared = DECLARED.get(operation["operationId"])
            assert ("Confirmation" in names) == (declared is not None), operation["operationId"]
            if declared == ALWAYS:
                answer = await thief.request(method, path.format_map(Anything()).removeprefix("/api"), content=b"{")
                assert answer.json()["error"]["reason"] == "confirmation_required", path


class Anything(dict[str, str]):
    """A value for each parameter of a path."""

    def __missing__(self, name: str) -> str:
        return "x"


@pytest.mark.parametrize("header", ["authorization", pytest.param("serverx-token", marks=pytest.mark.long)])
@pytest.mark.parametrize("renewal", RENEWALS)
@pytest.mark.parametrize(
    "first",
    [
        "POST /sessions",
        *(pytest.param(f"POST /{each}", marks=pytest.mark.long) for each in ("token/refresh", "user/hello")),
    ],
)
async def test_renewed_tokens_of_a_stolen_cookie_end_with_the_working_day(
    api: Api, clock: SettableClock, first: str, renewal: str, header: str
) -> None:
    thief = await stolen(api)
    path, body = RENEWALS[first]
    token = (await thief.post(path, json=body)).json()["token"]
    path, body = RENEWALS[renewal]
    program = api.client()
    valid = 0

    for _ in range(30):
        credentials = {header: f"Bearer {token}" if header == "authorization" else token}
        answer = await program.post(path, json={"token": token} if body == "token" else body, headers=credentials)
        if answer.status_code not in (200, 201):
            break
        token = answer.json()["token"]
        clock.advance(3000)
        valid += 1

    # The day of somebody who works with a browser platform is not interrupted.
    assert valid == 15
    assert (await program.get("/me", headers={"authorization": f"Bearer {token}"})).status_code == 401


async def test_the_stated_lifetime_of_a_token_is_the_real_one(api: Api, clock: SettableClock) -> None:
    thief = await stolen(api)

    opened = (await thief.post("/sessions", json={})).json()
    clock.advance(60)
    bearer = {"authorization": f"Bearer {opened['token']}"}
    renewed = (await api.client().post("/token/refresh", headers=bearer)).json()

    assert opened["expiresIn"] == api.config.session_lifetime
    assert renewed["expiresIn"] == 12 * 3600 - 60
    clock.advance(renewed["expiresIn"] - 1)
    bearer = {"authorization": f"Bearer {renewed['token']}"}
    assert (await api.client().get("/me", headers=bearer)).status_code == 200
    clock.advance(1)
    assert (await api.client().get("/me", headers=bearer)).status_code == 401


async def test_tokens_of_a_password_are_renewed_without_a_limit(api: Api, clock: SettableClock) -> None:
    token = (await api.admin.post("/sessions", json={})).json()["token"]

    for _ in range(10):
        clock.advance(api.config.token_expires_in - 1)
        answer = await api.client().post("/token/refresh", headers={"authorization": f"Bearer {token}"})
        assert answer.json()["expiresIn"] == api.config.token_expires_in
        token = answer.json()["token"]
