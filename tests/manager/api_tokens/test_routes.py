"""API tokens and service accounts: rights, expiry, revocation, limits and traces, on both databases."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.manager.event_streams import listening
from tests.manager.http.test_response_cache import statements

READ_APPS = "PLATFORM_MANAGER:APPS:READ"
WRITE_APPS = "PLATFORM_MANAGER:APPS:WRITE"
READ_USERS = "PLATFORM_MANAGER:USERS:READ"
WRITE_USERS = "PLATFORM_MANAGER:USERS:WRITE"
ADMIN_GROUP = "PLATFORM_SERVER_ADMIN"
DAY = 86_400


@pytest.fixture
async def each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    async with running_api(manager_config(store), clock) as api:
        yield api


def app(name: str) -> dict[str, Any]:
    details = {"url": f"https://{name}.example.com"}
    return {"definition": {"name": name, "type": "window", "title": name, "details": details}}


async def create(client: httpx.AsyncClient, *permissions: str, **members: Any) -> dict[str, Any]:
    """Create a token; for a service account, if a user is named."""
    path = "/admin/tokens" if "user" in members else "/me/tokens"
    body = {"name": "nightly", "permissions": permissions, "expiresInDays": 30, **members}
    answer = await client.post(path, json=body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    made: dict[str, Any] = answer.json()
    return made


def bearer(api: Api, token: str) -> httpx.AsyncClient:
    return api.client(headers={"authorization": f"Bearer {token}"})


async def status(client: httpx.AsyncClient, path: str = "/me") -> int:
    return (await client.get(path)).status_code


async def test_a_token_has_the_rights_that_both_it_and_its_owner_have_at_this_moment(each: Api) -> None:
    ann = await each.add_user("ann", WRITE_APPS, READ_USERS, "Desk")
    made = await create(ann, READ_APPS)
    program = bearer(each, made["token"])

    for _ in range(2):
        me = (await program.get("/me")).json()
        assert (me["id"], me["permissions"], me["groups"]) == ("ann", [READ_APPS], ["Desk", READ_APPS])
        assert await status(program, "/admin/apps") == 200
    assert await status(program, "/admin/users") == 403
    assert (await program.post("/admin/apps", json=app("blotter"))).status_code == 403

    # A removed permission takes effect with the next request, and so does a restored one.
    await each.admin.patch("/admin/users/ann", json={"groups": ["Desk"]})
    assert (await program.get("/me")).json()["permissions"] == []
    assert await status(program, "/admin/apps") == 403
    await each.admin.patch("/admin/users/ann", json={"groups": [WRITE_APPS]})
    assert await status(program, "/admin/apps") == 200
    await each.admin.patch("/admin/users/ann", json={"disabled": True})
    assert await status(program) == 401
    await each.admin.patch("/admin/users/ann", json={"disabled": False})
    assert await status(program) == 200


async def test_a_token_of_an_administrator_has_administrator_rights_only_if_requested(each: Api) -> None:
    await each.add_user("ann", WRITE_USERS)
    limited = bearer(each, (await create(each.admin, WRITE_USERS))["token"])
    full = bearer(each, (await create(each.admin, ADMIN_GROUP, name="full"))["token"])

    assert [await status(limited, path) for path in ("/admin/server", "/admin/apps", "/admin/users")] == [403, 403, 200]
    refused = await limited.patch("/admin/users/ann", json={"groups": [ADMIN_GROUP]})
    assert (refused.status_code, ADMIN_GROUP in refused.text) == (403, True)
    assert (await limited.patch("/admin/users/ann", json={"groups": ["Desk"]})).status_code == 200
    assert [await status(full, path) for path in ("/admin/server", "/admin/apps")] == [200, 200]


async def test_with_a_token_no_credentials_can_be_created_or_changed(each: Api) -> None:
    await each.add_user("ann")
    await each.admin.post("/admin/users", json={"id": "robot", "service": True})
    made = await create(each.admin, ADMIN_GROUP)
    program = bearer(each, made["token"])

    new = {"name": "second", "permissions": [], "expiresInDays": 1}
    for method, path, body in (
        ("POST", "/me/tokens", new),
        ("POST", "/admin/tokens", {**new, "user": "robot"}),
        ("DELETE", f"/me/tokens/{made['id']}", None),
        ("PUT", "/me/password", {"current": "admin-password", "new": "another password"}),
        ("PATCH", "/admin/users/ann", {"password": "another password"}),
        ("PUT", "/admin/users/ann", {"password": "another password"}),
        ("POST", "/admin/users", {"id": "eve", "password": "another password"}),
        ("GET", "/signin?token=true", None),
        ("POST", "/token/refresh", None),
        ("POST", "/sessions", {}),
        ("POST", "/user/hello", {"machine": {"name": "pc"}, "glue": {"version": "4.4"}}),
        ("POST", "/logout", None),
    ):
        answer = await program.request(method, path, json=body)
        assert answer.status_code == 403, (method, path, answer.text)
        assert "API token" in answer.text, path
    assert (await each.client(("ann", "ann-password")).get("/me")).status_code == 200
    assert await status(program) == 200


async def test_a_token_ends_when_it_expires_or_is_revoked_and_with_its_owner(each: Api, clock: SettableClock) -> None:
    ann = await each.add_user("ann")
    own, other = await create(ann, name="own"), await create(ann, name="other")
    short = await create(ann, name="short", expiresInDays=1)
    programs = [bearer(each, made["token"]) for made in (own, other, short)]
    assert [await status(program) for program in programs] == [200, 200, 200]

    assert (await ann.delete(f"/me/tokens/{own['id']}")).status_code == 204
    assert [await status(program) for program in programs] == [401, 200, 200]
    clock.advance(DAY - 1)
    assert await status(programs[2]) == 200
    clock.advance(1)
    assert [await status(program) for program in programs] == [401, 200, 401]
    bob = await each.add_user("bob")
    assert (await bob.delete(f"/me/tokens/{other['id']}")).status_code == 404
    assert (await each.admin.delete(f"/admin/tokens/{other['id']}")).status_code == 204
    assert await status(programs[1]) == 401

    again = await create(ann, name="again")
    await each.admin.delete("/admin/users/ann")
    await each.add_user("ann")
    assert await status(bearer(each, again["token"])) == 401
    assert (await each.admin.get("/admin/tokens")).json()["total"] == 0


@pytest.mark.long
async def test_only_the_hash_of_the_secret_is_stored_and_nothing_shows_it_again(
    each: Api, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = await create(each.admin, READ_APPS)
    text = made["token"]
    secret = text.removeprefix(f"rostrum_{made['id']}_")
    program = bearer(each, text)
    assert await status(program) == 200
    assert await status(bearer(each, text[:-1])) == 401

    shown = [await each.admin.get(path) for path in ("/admin/tokens", "/me/tokens", "/admin/audit?limit=100")]
    exported = await each.admin.get("/admin/export")

    assert len(secret) == 43
    for answer in (*shown, exported):
        assert answer.status_code == 200
        assert secret not in answer.text
    assert "keyHash" not in shown[0].text
    assert secret not in caplog.text


async def test_wrong_tokens_are_counted_by_the_limits_of_sign_ins_and_right_ones_are_never_refused_for_them(
    each: Api,
) -> None:
    made = await create(each.admin)
    ids = [bearer(each, f"rostrum_{made['id']}_{number:043}") for number in range(12)]

    refusals = [await status(one) for one in ids]

    assert refusals[0] == 401
    assert refusals[-1] == 429
    assert await status(bearer(each, made["token"])) == 200
    # The same wrong token again is a program with an old token, and no further guess.
    assert [await status(ids[0]) for _ in range(20)] == [401] * 20
    assert await status(bearer(each, "rostrum_nonsense")) in (401, 429)


async def test_the_last_use_is_written_at_most_once_a_minute(api: Api, clock: SettableClock) -> None:
    made = await create(api.admin, READ_APPS)
    program = bearer(api, made["token"])

    async def last_used() -> str | None:
        (token,) = (await api.admin.get("/me/tokens")).json()["items"]
        used: str | None = token["lastUsed"]
        return used

    assert await last_used() is None
    with statements() as first:
        assert await status(program, "/apps") == 200
    used = await last_used()
    assert used is not None
    clock.advance(59)
    with statements() as soon:
        assert [await status(program, "/apps") for _ in range(5)] == [200] * 5
    assert await last_used() == used
    clock.advance(1)
    with statements() as later:
        assert [await status(program, "/apps") for _ in range(5)] == [200] * 5
    assert await last_used() != used
    writes = [[one for one in seen if "UPDATE api_tokens" in str(one)] for seen in (first, soon, later)]
    assert [len(found) for found in writes] == [1, 0, 1]
    # Repeated requests are answered from the cache, like those with a cookie.
    assert list(soon) == []


async def test_the_audit_names_the_token_and_its_owner(each: Api) -> None:
    await each.add_user("ann", WRITE_APPS, WRITE_USERS)
    ann = each.client(("ann", "ann-password"))
    made = await create(ann, WRITE_APPS, name="Release job")
    assert (await bearer(each, made["token"]).post("/admin/apps", json=app("blotter"))).status_code == 201
    assert (await ann.post("/admin/apps", json=app("chart"))).status_code == 201
    await ann.delete(f"/me/tokens/{made['id']}")

    entries = (await each.admin.get("/admin/audit", params={"actor": "ann", "sort": "number"})).json()["items"]

    by_token = f"Release job ({made['id']})"
    assert [(one["operation"], one["actor"], one["origin"].get("token")) for one in entries] == [
        ("createOwnToken", "ann", None),
        ("createApp", "ann", by_token),
        ("createApp", "ann", None),
        ("revokeOwnToken", "ann", None),
    ]
    (change,) = entries[0]["changes"]
    assert (change["kind"], change["id"], change["action"]) == ("apiToken", made["id"], "created")
    assert {edit["path"]: edit["after"] for edit in change["diff"]}["/name"] == "Release job"
    assert (await each.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_a_token_needs_an_expiry_within_the_limit_and_permissions_of_its_owner(
    sqlite: str, clock: SettableClock
) -> None:
    async with running_api(manager_config(sqlite, apiTokens={"maxDays": 90}), clock) as api:
        ann = await api.add_user("ann", READ_APPS)
        base = {"name": "x", "permissions": [], "expiresInDays": 90}
        for change, path in (
            ({"expiresInDays": 91}, "expiresInDays"),
            ({"expiresInDays": 0}, "expiresInDays"),
            ({"expiresInDays": None}, "expiresInDays"),
            ({"permissions": [WRITE_APPS]}, "permissions[0]"),
            ({"permissions": [READ_APPS, ADMIN_GROUP]}, "permissions[1]"),
            ({"permissions": ["Desk"]}, "permissions[0]"),
        ):
            refused = await ann.post("/me/tokens", json={**base, **change})
            assert refused.status_code == 400, change
            assert refused.json()["error"]["details"][0]["path"] == path
        assert (await ann.post("/me/tokens", json=base)).status_code == 201
        assert (await ann.post("/me/tokens", json=base)).status_code == 409


@pytest.mark.long
async def test_a_service_account_cannot_sign_in_and_acts_with_tokens_of_administrators(each: Api) -> None:
    answer = await each.admin.post("/admin/users", json={"id": "robot", "service": True, "groups": [WRITE_APPS]})
    assert (answer.status_code, answer.json()["service"]) == (201, True)
    ann = await each.add_user("ann", WRITE_USERS)
    bob = await each.add_user("bob", WRITE_USERS, WRITE_APPS)

    for method, path, body in (
        ("PATCH", "/admin/users/robot", {"password": "a long secret"}),
        ("POST", "/admin/users", {"id": "other", "service": True, "password": "a long secret"}),
        ("PATCH", "/admin/users/robot", {"service": False}),
        ("PATCH", "/admin/users/ann", {"service": True}),
    ):
        assert (await each.admin.request(method, path, json=body)).status_code == 400, body
    # A caller who creates a token uses the rights of the account, and so must have them.
    token = {"user": "robot", "name": "release", "permissions": [WRITE_APPS], "expiresInDays": 30}
    assert (await ann.post("/admin/tokens", json=token)).status_code == 403
    assert (await bob.post("/admin/tokens", json={**token, "user": "ann", "permissions": []})).status_code == 403
    program = bearer(each, (await create(bob, WRITE_APPS, user="robot", name="release"))["token"])
    assert (await program.post("/admin/apps", json=app("blotter"))).status_code == 201
    assert (await program.get("/me")).json()["id"] == "robot"

    listed = (await each.admin.get("/admin/users", params={"service": "true"})).json()["items"]
    assert [user["id"] for user in listed] == ["robot"]
    read = await each.admin.get("/admin/users/robot")
    written = await each.admin.put("/admin/users/robot", json={**read.json(), "email": "ops@example.com"})
    assert (written.status_code, written.json()["service"]) == (200, True)
    (own,) = (await each.admin.get("/admin/tokens", params={"user": "robot"})).json()["items"]
    assert (own["createdBy"], own["name"]) == ("bob", "release")
    assert (await ann.delete(f"/admin/tokens/{own['id']}")).status_code == 403
    assert await status(program) == 200


@pytest.mark.long
async def test_a_deleted_service_account_is_restored_as_one_and_without_its_tokens(each: Api) -> None:
    await each.admin.post("/admin/users", json={"id": "robot", "service": True})
    made = await create(each.admin, user="robot")
    revisions = (await each.admin.get("/admin/users/robot/revisions")).json()["items"]
    await each.admin.delete("/admin/users/robot")

    body = {"revision": revisions[0]["revision"]}
    restored = await each.admin.post("/admin/users/robot/rollback", json=body)

    assert restored.status_code == 200, restored.text
    assert (await each.admin.get("/admin/users/robot")).json()["service"] is True
    assert await status(bearer(each, made["token"])) == 401
    assert (await each.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_an_event_stream_ends_when_its_token_is_revoked(each: Api) -> None:
    made = await create(each.admin)
    async with listening(each, {"authorization": f"Bearer {made['token']}"}) as stream:
        assert stream.status == 200

        assert (await each.admin.delete(f"/me/tokens/{made['id']}")).status_code == 204

        await stream.end()


@pytest.mark.long
async def test_many_tokens_are_revoked_at_once_but_not_those_of_users_with_more_rights(
    each: Api, caplog: pytest.LogCaptureFixture
) -> None:
    ann = await each.add_user("ann", READ_APPS)
    helper = await each.add_user("helper", WRITE_USERS, READ_APPS)
    old = [await create(ann, READ_APPS, name=f"old {number}") for number in range(2)]
    kept = await create(ann, READ_APPS, name="kept")
    strong = await create(each.admin, ADMIN_GROUP, name="strong")
    body = {"action": "revoke", "ids": [old[0]["id"], strong["id"], "nothing"]}

    preview = (await helper.post("/admin/batches/tokens/preview", json=body)).json()
    assert (preview["done"], preview["refused"]) == (1, 2), preview
    assert any("belongs to a user who has more rights" in each["message"] for each in preview["refusals"])
    assert await status(bearer(each, old[0]["token"])) == 200

    caplog.set_level(logging.INFO)
    batch = (await helper.post("/admin/batches/tokens", json={**body, "key": "k"})).json()
    assert (batch["done"], batch["refused"]) == (1, 2), batch
    assert await status(bearer(each, old[0]["token"])) == 401
    assert await status(bearer(each, strong["token"])) == 200
    (revoked,) = [line for line in caplog.messages if line.startswith("apiTokenRevoked")]
    assert "user='ann'" in revoked
    assert "actor='helper'" in revoked

    matching = {"action": "revoke", "filter": {"q": "old"}, "count": 1}
    rest = (await each.admin.post("/admin/batches/tokens", json={**matching, "key": "rest"})).json()
    assert rest["done"] == 1, rest
    statuses = [await status(bearer(each, made["token"])) for made in (old[1], kept, strong)]
    assert statuses == [401, 200, 200]
    entries = (await each.admin.get("/admin/audit", params={"batch": rest["id"]})).json()["items"]
    assert old[1]["id"] in {change["id"] for entry in entries for change in entry["changes"]}
    assert "rostrum_" not in str(entries)

    # A token with the permission can revoke others, as it can one by one.
    program = bearer(each, (await create(each.admin, ADMIN_GROUP, name="program"))["token"])
    last = {"action": "revoke", "ids": [kept["id"]], "key": "last"}
    assert (await program.post("/admin/batches/tokens", json=last)).json()["done"] == 1
    assert await status(bearer(each, kept["token"])) == 401


@pytest.mark.long
async def test_tokens_end_when_somebody_else_sets_the_password(api: Api) -> None:
    await api.admin.post("/admin/users", json={"id": "ann", "password": "ann-password"})

    async def lives(method: str, path: str, body: dict[str, Any], auth: tuple[str, str] | None = ADMIN) -> bool:
        made = await create(api.client(("ann", "ann-password")), name=f"{path} {body}"[:100])
        answer = await api.client(auth).request(method, path, json=body)
        assert answer.status_code in (200, 204), answer.text
        left = await status(bearer(api, made["token"]))
        # For the next one.
        back = {"password": "ann-password", "revokeApiTokens": True}
        assert (await api.admin.patch("/admin/users/ann", json=back)).status_code == 200
        return left == 200

    async def link() -> str:
        made = (await api.admin.post("/admin/password-links", json={"users": ["ann"]})).json()
        return str(made["items"][0]["token"])

    own, new = ("ann", "ann-password"), "a new password"
    change = {"current": "ann-password", "new": new}
    assert not await lives("PATCH", "/admin/users/ann", {"password": new})
    assert not await lives("PUT", "/admin/users/ann", {"password": new})
    assert not await lives("PATCH", "/admin/users/ann", {"password": None})
    assert not await lives("POST", "/password-links/use", {"token": await link(), "password": new}, None)
    assert not await lives("POST", "/admin/users/ann/sign-out", {})
    assert not await lives("PUT", "/me/password", {**change, "revokeApiTokens": True}, own)
    assert not await lives("POST", "/me/sign-out-everywhere", {"apiTokens": True}, own)

    keeps = {"revokeApiTokens": False}
    assert await lives("PATCH", "/admin/users/ann", {"password": new, **keeps})
    assert await lives("PATCH", "/admin/users/ann", {"displayName": "Ann", "revokeApiTokens": True})
    assert await lives("POST", "/password-links/use", {"token": await link(), "password": new, **keeps}, None)
    assert await lives("POST", "/admin/users/ann/sign-out", {"apiTokens": False})
    assert await lives("PUT", "/me/password", change, own)
    assert await lives("POST", "/me/sign-out-everywhere", {}, own)


@pytest.mark.long
async def test_tokens_end_when_a_password_is_approved(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(
        sqlite, changes={"approvalKinds": ["user"], "approvalGroups": ["Leaders"], "approverHours": 0}
    )
    async with running_api(config, clock) as api:
        second = await api.add_user("second", ADMIN_GROUP)
        await api.add_user("ann")
        made = await create(api.client(("ann", "ann-password")))
        proposed = await api.admin.patch("/admin/users/ann", json={"groups": ["Leaders"], "password": "a new password"})
        assert (proposed.status_code, await status(bearer(api, made["token"]))) == (202, 200)
        proposal = proposed.json()["proposal"]["id"]
        assert (await second.post(f"/admin/proposals/{proposal}/approve")).status_code == 200
        assert await status(bearer(api, made["token"])) == 401
