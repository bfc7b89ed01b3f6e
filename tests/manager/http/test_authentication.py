import asyncio
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from argon2 import Parameters, extract_parameters
from joserfc import jwt
from joserfc.jwk import OctKey
from sqlalchemy import event

from rostrum.base.addresses import HEADER, sign_address
from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.users.repository import Users
from tests.conftest import ADMIN, ORIGIN, SECRET, Api, manager_config, running_api

ANN = ("ann", "ann-password")
OWN_ORIGIN = "http://manager.example.com"
ADMIN_GROUP = "PLATFORM_SERVER_ADMIN"
USERS_READ = "PLATFORM_MANAGER:USERS:READ"


def basic(user: str, password: str) -> str:
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


def sending(api: Api, **headers: str) -> httpx.AsyncClient:
    """A client that sends just these headers with each request."""
    return api.client(headers=headers)


def with_cookie(api: Api, token: str, **headers: str) -> httpx.AsyncClient:
    return sending(api, cookie=f"PLATFORM_SESSION={token}", **headers)


def with_bearer(api: Api, token: str) -> httpx.AsyncClient:
    return sending(api, authorization=f"Bearer {token}")


async def cookie_of(api: Api, auth: tuple[str, str] = ANN) -> str:
    """Sign in; the token in the cookie."""
    answer = await api.client(auth).get("/me")
    assert answer.status_code == 200
    return answer.cookies["PLATFORM_SESSION"]


async def session_of(api: Api, auth: tuple[str, str] = ANN) -> tuple[str, str]:
    """Open a client session; its id and its token."""
    answer = await api.client(auth).post("/sessions", json={})
    assert answer.status_code == 201
    return answer.json()["id"], answer.json()["token"]


async def status(client: httpx.AsyncClient) -> int:
    return (await client.get("/me")).status_code


async def change(api: Api, user: str, **members: Any) -> None:
    answer = await api.admin.patch(f"/admin/users/{user}", json=members)
    assert answer.status_code == 200, answer.text


async def ann_is_deleted(api: Api) -> None:
    assert (await api.admin.delete("/admin/users/ann")).status_code == 204


async def ann_is_made_again(api: Api) -> None:
    await ann_is_deleted(api)
    await api.add_user("ann")


async def ann_is_disabled(api: Api) -> None:
    await change(api, "ann", disabled=True)


async def ann_is_disabled_and_enabled(api: Api) -> None:
    await change(api, "ann", disabled=True)
    await change(api, "ann", disabled=False)


async def ann_gets_a_password(api: Api) -> None:
    await change(api, "ann", password="another password")


async def ann_gets_the_same_password_again(api: Api) -> None:
    await change(api, "ann", password=ANN[1])


REVOCATIONS = [
    ann_is_deleted,
    ann_is_made_again,
    ann_is_disabled,
    ann_is_disabled_and_enabled,
    ann_gets_a_password,
    ann_gets_the_same_password_again,
]


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were really checked against a hash."""
    seen: list[str] = []
    verify = Passwords.verify

    async def watched(self: Passwords, stored: str | None, password: str) -> bool:
        seen.append(password)
        return await verify(self, stored, password)

    monkeypatch.setattr(Passwords, "verify", watched)
    return seen


@pytest.mark.rule("R-1-4", "R-1-7", "R-5-4", "X-7-1", "T-3-3")
async def test_every_refusal_has_the_same_body_and_names_the_realm(api: Api, clock: SettableClock) -> None:
    await api.add_user("ann")
    await api.add_user("off", disabled=True)
    await api.admin.post("/admin/users", json={"id": "without"})
    cookie, (_, token) = await cookie_of(api), await session_of(api)
    expired = Tokens(SECRET, SettableClock()).sign("ann", Use.SESSION, epoch=0, seconds=1)
    foreign = Tokens(SECRET[::-1], clock).sign("ann", Use.CLIENT, epoch=0, seconds=60)
    unknown = Tokens(SECRET, clock).sign("nobody", Use.CLIENT, epoch=0, seconds=60)
    clock.advance(2)
    headers: dict[str, list[tuple[str, str]]] = {
        "none": [],
        "unknown user": [("authorization", basic("nobody", "x"))],
        "wrong password": [("authorization", basic("ann", "x"))],
        "right password in another case": [("authorization", basic("ann", "ANN-password"))],
        "another case of the user id": [("authorization", basic("ANN", ANN[1]))],
        "disabled user": [("authorization", basic("off", "off-password"))],
        "user without a password": [("authorization", basic("without", "x"))],
        "not Base64": [("authorization", "Basic ???")],
        "no credentials": [("authorization", "Basic")],
        "nothing": [("authorization", "")],
        "no password": [("authorization", basic("ann", ""))],
        "unknown scheme": [("authorization", "Negotiate abc")],
        "no scheme": [("authorization", basic(*ANN).removeprefix("Basic "))],
        "two headers": [("authorization", basic(*ANN)), ("authorization", basic(*ANN))],
        "two headers of two kinds": [("authorization", basic(*ANN)), ("authorization", f"Bearer {token}")],
        "garbage bearer": [("authorization", "Bearer abc")],
        "expired bearer": [("authorization", f"Bearer {expired}")],
        "foreign bearer": [("authorization", f"Bearer {foreign}")],
        "unknown bearer": [("authorization", f"Bearer {unknown}")],
        "cookie as bearer": [("authorization", f"Bearer {cookie}")],
        "bearer as cookie": [("cookie", f"PLATFORM_SESSION={token}")],
        "garbage cookie": [("cookie", "PLATFORM_SESSION=abc")],
        "empty cookie": [("cookie", "PLATFORM_SESSION=")],
        "expired cookie": [("cookie", f"PLATFORM_SESSION={expired}")],
        "foreign cookie": [("cookie", f"PLATFORM_SESSION={foreign}")],
        "other cookie": [("cookie", f"SESSION={cookie}")],
        "wrong password with a good cookie": [
            ("authorization", basic("ann", "x")),
            ("cookie", f"PLATFORM_SESSION={cookie}"),
        ],
    }

    answers = {cause: await api.client().get("/me", headers=sent) for cause, sent in headers.items()}

    expected = b'{"error":{"code":401,"message":"not authorized"}}'
    found = {cause: (answer.status_code, answer.content) for cause, answer in answers.items()}
    assert found == dict.fromkeys(headers, (401, expected))
    for answer in answers.values():
        assert answer.headers.get_list("www-authenticate") == ['Basic realm="rostrum", charset="UTF-8"']
        assert "set-cookie" not in answer.headers


async def test_the_scheme_has_no_letter_case(api: Api) -> None:
    for scheme in ("Basic ", "basic ", "BASIC  "):
        assert await status(sending(api, authorization=basic(*ADMIN).replace("Basic ", scheme))) == 200


@pytest.mark.rule("R-1-3", "R-5-1")
async def test_user_ids_and_passwords_may_be_any_text(api: Api) -> None:
    await api.admin.post("/admin/users", json={"id": "Søren/Å 𠀋", "password": "a:b 🗝:üß"})

    answer = await sending(api, authorization=basic("Søren/Å 𠀋", "a:b 🗝:üß")).get("/me")

    assert answer.json()["id"] == "Søren/Å 𠀋"
    assert await status(with_cookie(api, answer.cookies["PLATFORM_SESSION"])) == 200


@pytest.mark.rule("R-1-5", "R-2.2-6", "R-5-3", "E-4-1", "T-3-1")
async def test_a_sign_in_sets_the_session_cookie(api: Api) -> None:
    answer = await api.admin.get("/me")

    [cookie] = answer.headers.get_list("set-cookie")
    name_and_token, *attributes = cookie.split("; ")
    assert answer.status_code == 200
    name, _, token = name_and_token.partition("=")
    assert name == "PLATFORM_SESSION"
    assert jwt.decode(token, OctKey.import_key(SECRET.encode()), algorithms=["HS256"]).claims["sub"] == ADMIN[0]
    assert sorted(attributes) == ["HttpOnly", "Max-Age=3600", "Path=/", "SameSite=Lax"]


async def test_the_cookie_fits_the_page_that_signs_in(sqlite: str, clock: SettableClock) -> None:
    allowed = [ORIGIN, "https://desk.elsewhere.net", "http://127.0.0.1:3000", "http://10.0.0.1"]
    expected = {
        ("https://manager.example.com", None): "SameSite=Lax; Secure",
        ("http://manager.example.com", OWN_ORIGIN): "SameSite=Lax",
        ("http://manager.example.com", ORIGIN): "SameSite=Lax",
        ("http://manager.example.com", "https://desk.elsewhere.net"): "SameSite=None; Secure; Partitioned",
        ("https://manager.example.com", "https://desk.elsewhere.net"): "SameSite=None; Secure; Partitioned",
        ("http://127.0.0.1:4356", "http://127.0.0.1:3000"): "SameSite=Lax",
        ("http://127.0.0.1:4356", "http://10.0.0.1"): "SameSite=None; Secure; Partitioned",
        # Nobody allowed these: their pages get no cookie that they could send from there.
        ("http://manager.example.com", "https://evil.example.org"): "SameSite=Lax",
        ("http://manager.example.com", "null"): "SameSite=Lax",
    }
    found: dict[tuple[str, str | None], str] = {}
    async with running_api(manager_config(sqlite, cors={"credentials": True, "origin": allowed}), clock) as api:
        for server, origin in expected:
            answer = await api.admin.get(f"{server}/api/me", headers={"origin": origin} if origin else {})
            found[server, origin] = answer.headers["set-cookie"].partition("; HttpOnly; ")[2]

    assert found == expected


@pytest.mark.rule("R-1-6", "T-D-2")
async def test_later_requests_need_only_the_cookie(api: Api) -> None:
    client = await api.add_user("ann")
    await client.get("/me")

    answer = await client.get("/me", auth=None)

    assert answer.json()["id"] == "ann"
    assert "set-cookie" not in answer.headers


async def test_cookies_of_others_do_not_get_in_the_way(api: Api) -> None:
    mine = f"PLATFORM_SESSION={await cookie_of(api, ADMIN)}"
    others = [
        "theme=dark",
        'lang="de"',
        'prefs={"a": [1, 2]}',
        "broken",
        "a b=c d",
        "x=ü",
        "=",
        "",
        "NOT_PLATFORM_SESSION=1",
    ]

    for other in others:
        for cookies in (f"{other}; {mine}", f"{mine}; {other}", f"{other};{mine};"):
            answer = await api.client().get("/me", headers=[(b"cookie", cookies.encode())])
            assert answer.status_code == 200, cookies


async def test_cookies_may_come_in_several_headers(api: Api) -> None:
    token = await cookie_of(api, ADMIN)

    answer = await api.client().get("/me", headers=[("cookie", f"PLATFORM_SESSION={token}"), ("cookie", "theme=dark")])

    assert answer.status_code == 200


@pytest.mark.rule("R-2.2-4", "T-3-2")
async def test_a_session_ends_when_its_lifetime_is_over(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, auth_basic={"predefinedUsers": [":".join(ADMIN)], "sessionLifetime": 60})
    async with running_api(config, clock) as api:
        first = await api.admin.get("/me")
        cookie = first.cookies["PLATFORM_SESSION"]
        assert "Max-Age=60" in first.headers["set-cookie"]

        clock.advance(59)
        assert await status(with_cookie(api, cookie)) == 200
        clock.advance(1)
        assert await status(with_cookie(api, cookie)) == 401


@pytest.mark.rule("R-5-5", "L-8-1")
async def test_the_lifetime_is_an_hour_by_default(api: Api, clock: SettableClock) -> None:
    cookie = await cookie_of(api, ADMIN)

    clock.advance(3599)
    assert await status(with_cookie(api, cookie)) == 200
    clock.advance(1)
    assert await status(with_cookie(api, cookie)) == 401


async def test_signing_out_ends_the_session_on_the_server_too(api: Api) -> None:
    cookie, other = await cookie_of(api, ADMIN), await cookie_of(api, ADMIN)

    answer = await with_cookie(api, cookie, origin=ORIGIN).post("/logout")

    assert answer.status_code == 204
    [cleared] = answer.headers.get_list("set-cookie")
    assert cleared.startswith("PLATFORM_SESSION=; Max-Age=0; Path=/; HttpOnly")
    assert await status(with_cookie(api, cookie)) == 401
    assert (await with_cookie(api, cookie, origin=ORIGIN).post("/logout")).status_code == 401
    assert await status(with_cookie(api, other)) == 200


async def test_signing_out_with_a_password_does_not_sign_in(api: Api) -> None:
    answer = await api.admin.post("/logout")

    [cleared] = answer.headers.get_list("set-cookie")
    assert cleared.startswith("PLATFORM_SESSION=; Max-Age=0")


@pytest.mark.parametrize("revoked", REVOCATIONS)
async def test_cookies_and_tokens_end_with_what_they_stand_for(api: Api, revoked: Callable[[Api], Any]) -> None:
    client = await api.add_user("ann")
    cookie, (_, token) = await cookie_of(api), await session_of(api)
    loose = (await client.post("/token/refresh")).json()["token"]
    credentials = [with_cookie(api, cookie), with_bearer(api, token), with_bearer(api, loose)]
    assert [await status(each) for each in credentials] == [200, 200, 200]

    await revoked(api)

    assert [await status(each) for each in credentials] == [401, 401, 401]


async def test_changes_that_have_nothing_to_do_with_it_leave_sessions_alone(api: Api) -> None:
    await api.add_user("ann")
    cookie, (_, token) = await cookie_of(api), await session_of(api)

    await change(api, "ann", email="ann@example.com", groups=["Desk"], apps=["blotter"])
    await api.admin.put("/admin/users/ann", json={"id": "ann"})

    assert await status(with_cookie(api, cookie)) == 200
    assert await status(with_bearer(api, token)) == 200


@pytest.mark.rule("R-2.2-5", "R-2.2-7", "T-D-1")
async def test_without_session_cookies_none_is_set_and_none_is_accepted(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite), clock) as api:
        cookie = await cookie_of(api, ADMIN)
    members = {"predefinedUsers": [":".join(ADMIN)], "useSessionCookie": False}
    async with running_api(manager_config(sqlite, auth_basic=members), clock) as api:
        answer = await api.admin.get("/me")

        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
        assert await status(with_cookie(api, cookie)) == 401
        _, token = await session_of(api, ADMIN)
        assert await status(with_bearer(api, token)) == 200


async def test_a_header_goes_before_the_cookie(api: Api) -> None:
    await api.add_user("ann")
    cookie, (_, token) = await cookie_of(api, ADMIN), await session_of(api)
    for authorization in (basic(*ANN), f"Bearer {token}"):
        answer = await with_cookie(api, cookie, authorization=authorization).get("/me")
        assert answer.json()["id"] == "ann"

    for authorization in (basic("ann", "wrong"), "Bearer wrong", "Digest abc"):
        assert await status(with_cookie(api, cookie, authorization=authorization)) == 401


async def test_a_cookie_carries_no_write_from_elsewhere(api: Api) -> None:
    cookie = await cookie_of(api, ADMIN)
    elsewhere = [
        None,
        "null",
        "",
        "http://evil.example.org",
        f"{ORIGIN}.evil.org",
        f"{ORIGIN}:8080",
        ORIGIN.replace("http", "https"),
        "https://manager.example.com",
        "http://manager.example.com:81",
        "manager.example.com",
        "*",
    ]
    for origin in elsewhere:
        client = with_cookie(api, cookie, **({} if origin is None else {"origin": origin}))
        answers = [
            await client.post("/admin/groups", json={"name": "Desk"}),
            await client.put(f"/admin/groups/{ADMIN_GROUP}", json={"priority": 9}),
            await client.patch(f"/admin/groups/{ADMIN_GROUP}", json={"priority": 9}),
            await client.delete("/admin/users/admin"),
            await client.post("/logout"),
        ]
        assert [answer.status_code for answer in answers] == [403] * 5, origin
        assert await status(client) == 200, "reading is no write"

    groups = (await api.admin.get("/admin/groups")).json()["items"]
    assert [(group["name"], group["priority"]) for group in groups] == [(ADMIN_GROUP, 0)]


async def test_a_cookie_carries_writes_from_here_and_from_allowed_pages(api: Api) -> None:
    cookie = await cookie_of(api, ADMIN)
    for origin in (ORIGIN, OWN_ORIGIN, "HTTP://Manager.Example.com"):
        client = with_cookie(api, cookie, origin=origin)

        assert (await client.post("/admin/groups", json={"name": "Desk"})).status_code == 201
        assert (await client.patch("/admin/groups/Desk", json={"priority": 9})).status_code == 200
        assert (await client.delete("/admin/groups/Desk")).status_code == 204


async def test_passwords_and_tokens_carry_writes_of_programs_without_an_origin(api: Api) -> None:
    _, token = await session_of(api, ADMIN)
    for number, authorization in enumerate((basic(*ADMIN), f"Bearer {token}")):
        client = sending(api, authorization=authorization)
        assert (await client.post("/admin/groups", json={"name": f"Desk {number}"})).status_code == 201


async def test_a_client_token_serves_until_it_expires(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, token={"secret": SECRET, "expiresIn": 60})
    async with running_api(config, clock) as api:
        opened = (await api.admin.post("/sessions", json={})).json()
        assert opened["expiresIn"] == 60

        clock.advance(59)
        answer = await with_bearer(api, opened["token"]).post("/token/refresh")
        assert answer.status_code == 201
        assert answer.json()["expiresIn"] == 60
        assert "set-cookie" not in answer.headers
        clock.advance(1)
        assert await status(with_bearer(api, opened["token"])) == 401
        clock.advance(58)
        assert await status(with_bearer(api, answer.json()["token"])) == 200
        clock.advance(1)
        assert await status(with_bearer(api, answer.json()["token"])) == 401


async def test_the_tokens_of_a_session_end_with_it(api: Api) -> None:
    await api.add_user("ann")
    for ended_by, address in ((ANN, "/sessions"), (ADMIN, "/admin/sessions")):
        session, token = await session_of(api)
        fresh = (await with_bearer(api, token).post("/token/refresh")).json()["token"]
        _, other = await session_of(api)

        assert (await api.client(ended_by).delete(f"{address}/{session}")).status_code == 204

        assert [await status(with_bearer(api, each)) for each in (token, fresh, other)] == [401, 401, 200]


async def test_signing_out_ends_the_token_that_was_sent(api: Api) -> None:
    _, token = await session_of(api, ADMIN)
    _, other = await session_of(api, ADMIN)

    assert (await with_bearer(api, token).post("/logout")).status_code == 204

    assert await status(with_bearer(api, token)) == 401
    assert await status(with_bearer(api, other)) == 200


async def test_users_cannot_close_sessions_of_others(api: Api) -> None:
    await api.add_user("ann")
    session, token = await session_of(api, ADMIN)

    assert (await api.client(ANN).delete(f"/sessions/{session}")).status_code == 404
    assert await status(with_bearer(api, token)) == 200


async def test_a_change_of_groups_counts_at_once(api: Api) -> None:
    await api.add_user("ann", "Desk")
    cookie, (_, token) = await cookie_of(api), await session_of(api)
    credentials = [with_cookie(api, cookie), with_bearer(api, token), api.client(ANN)]

    async def statuses() -> list[int]:
        return [(await each.get("/admin/users")).status_code for each in credentials]

    assert await statuses() == [403] * 3
    await change(api, "ann", groups=["Desk", USERS_READ])
    assert await statuses() == [200] * 3
    await change(api, "ann", groups=["Desk"])
    assert await statuses() == [403] * 3
    await api.admin.patch("/admin/groups/Desk", json={"expandsTo": ["Floor"]})
    await api.admin.patch("/admin/groups/Floor", json={"expandsTo": [USERS_READ]})
    assert await statuses() == [200] * 3
    await api.admin.delete("/admin/groups/Floor")
    assert await statuses() == [403] * 3


async def test_a_password_is_checked_once_and_then_remembered(
    api: Api, clock: SettableClock, checks: list[str]
) -> None:
    client = await api.add_user("ann")
    checks.clear()

    for _ in range(5):
        assert await status(client) == 200
    assert checks == [ANN[1]]

    clock.advance(301)
    assert await status(client) == 200
    assert checks == [ANN[1]] * 2


async def test_many_requests_at_once_are_one_sign_in(api: Api, checks: list[str]) -> None:
    client = await api.add_user("ann")
    checks.clear()

    answers = await asyncio.gather(*(status(client) for _ in range(30)))

    assert answers == [200] * 30
    assert checks == [ANN[1]]


@pytest.mark.parametrize("revoked", [ann_is_disabled, ann_gets_a_password])
async def test_a_remembered_password_is_forgotten_at_once(
    api: Api, checks: list[str], revoked: Callable[[Api], Any]
) -> None:
    client = await api.add_user("ann")
    assert await status(client) == 200
    checks.clear()

    await revoked(api)

    assert await status(client) == 401
    assert checks == [ANN[1]]


@pytest.mark.rule("R-1-4", "R-2.1-1")
async def test_a_new_password_works_at_once(api: Api) -> None:
    await api.add_user("ann")
    await cookie_of(api)

    await ann_gets_a_password(api)

    assert await status(api.client(("ann", "another password"))) == 200


async def test_a_refused_sign_in_is_the_same_work_for_every_name(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    await api.add_user("off", "a group", disabled=True)
    assert (await api.admin.post("/admin/users", json={"id": "bare"})).status_code == 201
    assert await status(api.client(("admin", "the first check of all makes a hash of nobody's"))) == 401
    work: list[Any] = []
    check = Passwords._matches

    def watched(self: Passwords, stored: str, password: str) -> bool:
        work.append(extract_parameters(stored))
        return check(self, stored, password)

    def statement(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        work.append(text)

    monkeypatch.setattr(Passwords, "_matches", watched)
    event.listen(api.app._manager.storage._database._engine.sync_engine, "before_cursor_execute", statement)

    done: dict[tuple[str, str], list[Any]] = {}
    for attempt in (
        ("nobody", "guess"),
        ("admin", "guess"),
        ("off", "guess"),
        ("off", "off-password"),
        ("bare", "guess"),
    ):
        work.clear()
        assert await status(api.client(attempt)) == 401
        done[attempt] = list(work)

    # The same statements in the same order, and one check at the same cost.
    assert sum(isinstance(each, Parameters) for each in done["nobody", "guess"]) == 1
    assert all(each == done["nobody", "guess"] for each in done.values())


async def test_a_hash_of_another_cost_is_renewed_at_the_next_sign_in(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite), clock) as api:
        manager = api.app._manager
        dear = Passwords(memory_kib=16, rounds=2)
        async with manager.storage.write("test") as work:
            await work.of(Users).set_password_hash(
                "admin", await dear.hash(ADMIN[1]), (await work.of(Users).login("admin")).epoch
            )
        dear.close()
        cookie = await cookie_of(api, ADMIN)

        async with manager.storage.read() as work:
            login = await work.of(Users).login("admin")
        assert "$m=8,t=1,p=1$" in login.password_hash
        assert await status(with_cookie(api, cookie)) == 200
        assert await status(api.admin) == 200


@pytest.mark.rule("R-8-1", "L-8-11")
async def test_guesses_are_slowed_down_and_anyone_who_is_signed_in_stays_so(api: Api) -> None:
    remembered = await api.add_user("ann")
    cookie, (_, token) = await cookie_of(api), await session_of(api)

    statuses = [await status(api.client(("ann", f"guess {number}"))) for number in range(12)]
    refused = await api.client(("ANN", "guess")).get("/me")

    assert statuses == [401] * 10 + [429] * 2
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "10"
    assert refused.json()["error"]["code"] == 429
    for client in (with_cookie(api, cookie), with_bearer(api, token), remembered):
        assert await status(client) == 200


async def test_the_right_password_is_taken_after_the_wait(api: Api, clock: SettableClock) -> None:
    client = await api.add_user("ann")
    for number in range(12):
        await status(api.client(("ann", f"guess {number}")))
    refused = await client.get("/me")
    assert refused.status_code == 429

    clock.advance(int(refused.headers["retry-after"]))

    assert await status(client) == 200
    assert [await status(api.client(("ann", f"guess {number}"))) for number in range(10)] == [401] * 10


async def test_fifty_guesses_at_once_let_no_more_through_than_are_free(
    api: Api, clock: SettableClock, checks: list[str]
) -> None:
    ann = await api.add_user("ann")
    checks.clear()

    guesses = [api.client((user, f"guess {number}")) for number in range(25) for user in ("ann", "Ann")]
    answers = Counter(await asyncio.gather(*(status(guess) for guess in guesses)))

    assert answers == {401: 10, 429: 40}
    assert len(checks) == 10
    # The owner of the account, at the very address of the guesser, waits for one turn.
    clock.advance(10)
    assert await status(ann) == 200


async def test_one_guess_repeated_at_once_is_no_way_around(api: Api, checks: list[str]) -> None:
    await api.add_user("ann")
    checks.clear()

    answers = Counter(await asyncio.gather(*(status(api.client(("ann", "guess"))) for _ in range(50))))

    assert answers == {401: 50}
    assert len(checks) == 1


@pytest.mark.long
async def test_a_client_that_polls_with_basic_stays_in_while_others_guess_for_an_hour(
    api: Api, clock: SettableClock
) -> None:
    polling = await api.add_user("ann")
    assert await status(polling) == 200
    for minute in range(60):
        for guess in range(3):
            await status(api.client(("ann", f"guess {minute} {guess}")))
        clock.advance(60)
        assert await status(polling) == 200, minute


@pytest.mark.long
async def test_a_desktop_with_an_old_password_costs_one_check_a_minute(
    api: Api, clock: SettableClock, checks: list[str]
) -> None:
    await api.add_user("ann")
    checks.clear()

    statuses = set()
    for _ in range(240):
        statuses.add(await status(api.client(("ann", "the old one"))))
        clock.advance(5)

    assert statuses == {401}
    assert len(checks) <= 21
    assert await status(api.client(("ann", "ann-password"))) == 200


async def spray(api: Api, **headers: str) -> Counter[int]:
    """Guess once for each of many accounts."""
    clients = [sending(api, authorization=basic(f"user {number}", "guess"), **headers) for number in range(60)]
    return Counter([await status(client) for client in clients])


async def test_an_address_that_guesses_for_many_accounts_is_slowed_down(api: Api) -> None:
    assert await spray(api) == {401: 50, 429: 10}


@pytest.mark.long
async def test_random_names_from_an_office_never_keep_out_those_who_signed_in_there(
    api: Api, clock: SettableClock
) -> None:
    ann = await api.add_user("ann")
    assert await status(ann) == 200

    for turn in range(4):
        # Long enough for the server to forget that the password was right: it is checked again.
        clock.advance(301)
        for number in range(60):
            await status(api.client((f"name {turn} {number}", "guess")))
        assert await status(api.client(("somebody new", "guess"))) == 429
        assert await status(ann) == 200


@pytest.mark.long
async def test_a_session_cookie_of_the_account_proves_that_a_password_is_no_random_guess(
    api: Api, clock: SettableClock
) -> None:
    await api.add_user("ann")
    await api.add_user("bob")
    cookies = {user: await cookie_of(api, (user, f"{user}-password")) for user in ("ann", "bob")}
    await change(api, "bob", password="another password")
    # At another address, nobody is known.
    transport = httpx.ASGITransport(api.app, client=("10.1.1.1", 4711))

    async def sign_in(user: str, password: str, cookie: str = "") -> int:
        headers = {"cookie": f"PLATFORM_SESSION={cookie}"} if cookie else {}
        async with httpx.AsyncClient(transport=transport, base_url=str(api.client().base_url)) as client:
            return (await client.get("/me", auth=(user, password), headers=headers)).status_code

    for number in range(60):
        await sign_in(f"name {number}", "guess")
    clock.advance(301)
    for number in range(60, 120):
        await sign_in(f"name {number}", "guess")

    assert await sign_in("ann", "wrong", cookies["bob"]) == 429
    assert await sign_in("bob", "another password", cookies["bob"]) == 429
    assert await sign_in("ann", "ann-password", cookies["ann"]) == 200


async def test_a_cookie_gives_no_more_guesses_for_its_account_than_there_are(api: Api) -> None:
    await api.add_user("ann")
    cookie = await cookie_of(api)

    statuses = []
    for number in range(12):
        client = sending(api, authorization=basic("ann", f"guess {number}"), cookie=f"PLATFORM_SESSION={cookie}")
        statuses.append(await status(client))

    assert statuses == [401] * 10 + [429] * 2


@pytest.mark.parametrize("attempt", [("off", "off-password"), ("off", "guess"), ("nobody", "guess"), ("ann", "guess")])
async def test_repeated_refusals_cost_the_same_whatever_their_reason(
    api: Api, checks: list[str], attempt: tuple[str, str]
) -> None:
    await api.add_user("off", disabled=True)
    await api.add_user("ann")
    checks.clear()

    statuses = [await status(api.client(attempt)) for _ in range(15)]

    assert statuses == [401] * 15
    assert len(checks) == 1


async def test_a_user_who_is_enabled_signs_in_at_once(api: Api) -> None:
    off = await api.add_user("off", disabled=True)
    assert await status(off) == 401

    await change(api, "off", disabled=False)

    assert await status(off) == 200


async def test_a_forwarded_address_from_an_unknown_proxy_is_not_trusted(api: Api) -> None:
    clients = [
        sending(api, authorization=basic(f"user {number}", "guess"), **{"x-forwarded-for": f"10.0.0.{number}"})
        for number in range(60)
    ]

    assert Counter([await status(client) for client in clients]) == {401: 50, 429: 10}


async def test_the_headers_of_a_trusted_proxy_are_accepted(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, trustedProxies=["127.0.0.0/24", "10.9.0.0/16"]), clock) as api:
        assert await spray(api, **{"x-forwarded-for": "10.0.0.1"}) == {401: 50, 429: 10}
        assert await status(sending(api, authorization=basic("x", "y"), **{"x-forwarded-for": "10.0.0.2"})) == 401

        # Only the hop that a trusted proxy wrote counts: what stands left of it came from the client.
        for claimed in ("6.6.6.6, 10.0.0.1", "6.6.6.6, 10.0.0.1, 10.9.0.4", "10.0.0.1 ,127.0.0.3"):
            client = sending(api, authorization=basic("x", claimed), **{"x-forwarded-for": claimed})
            assert await status(client) == 429
        hops = [("x-forwarded-for", "10.0.0.1"), ("x-forwarded-for", "10.9.0.4"), ("authorization", basic("x", "z"))]
        assert (await api.client().get("/me", headers=hops)).status_code == 429


@pytest.mark.parametrize(
    "forms",
    [
        ["10.0.0.1:{0}"],
        ["[2001:db8::1]:{0}"],
        ["10.0.0.1", "10.0.0.1:{0}", "[::ffff:10.0.0.1]:{0}", "::ffff:10.0.0.1", '"10.0.0.1:{0}"'],
        ["nonsense-{0}"],
        ["unknown, _hidden{0}"],
    ],
)
async def test_no_spelling_of_a_forwarded_address_gives_fresh_guesses(
    sqlite: str, clock: SettableClock, forms: list[str]
) -> None:
    async with running_api(manager_config(sqlite, trustedProxies=["127.0.0.9"]), clock) as api:
        statuses = []
        for number in range(60):
            forwarded = forms[number % len(forms)].format(40_000 + number)
            client = sending(api, authorization=basic(f"user {number}", "x"), **{"x-forwarded-for": forwarded})
            statuses.append(await status(client))

    assert Counter(statuses) == {401: 50, 429: 10}


GATEWAY_SECRET = "a secret that the gateway shares, long enough"


def forwarded(secret: str, address: str, authorization: str, clock: SettableClock) -> dict[str, str]:
    """The headers by which a gateway signs one of its clients in."""
    return {"authorization": authorization, HEADER: sign_address(secret, address, authorization, clock.now())}


async def test_a_gateway_forwards_the_addresses_of_its_clients(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, gateway={"secret": GATEWAY_SECRET}), clock) as api:

        async def guess(number: int, address: str) -> int:
            headers = forwarded(GATEWAY_SECRET, address, basic(f"user {number}", "x"), clock)
            return (await api.client().get("/me", headers=headers)).status_code

        assert Counter([await guess(number, "10.0.0.1") for number in range(60)]) == {401: 50, 429: 10}
        assert await guess(1, "10.0.0.2") == 401
        right = forwarded(GATEWAY_SECRET, "10.0.0.3", basic(*ADMIN), clock)
        assert (await api.client().get("/me", headers=right)).status_code == 200


@pytest.mark.parametrize("config", [{}, {"gateway": {"secret": GATEWAY_SECRET}}])
async def test_only_the_gateway_can_forward_an_address(
    sqlite: str, clock: SettableClock, config: dict[str, Any]
) -> None:
    async with running_api(manager_config(sqlite, **config), clock) as api:
        one = forwarded(GATEWAY_SECRET, "10.0.0.1", basic("someone else", "x"), clock)[HEADER]
        statuses = []
        for number in range(60):
            authorization = basic(f"user {number}", "x")
            guesses = [
                forwarded("another secret that is long enough, too", f"10.0.0.{number}", authorization, clock),
                {"authorization": authorization, HEADER: one},
                {"authorization": authorization, HEADER: f"10.0.0.{number}"},
            ]
            statuses.append((await api.client().get("/me", headers=guesses[number % 3])).status_code)

    assert Counter(statuses) == {401: 50, 429: 10}


@pytest.mark.parametrize(("proxies", "secure"), [([], False), (["10.0.0.1"], False), (["127.0.0.9"], True)])
async def test_a_forwarded_scheme_is_accepted_only_from_a_trusted_proxy(
    sqlite: str, clock: SettableClock, proxies: list[str], secure: bool
) -> None:
    async with running_api(manager_config(sqlite, trustedProxies=proxies), clock) as api:
        answer = await api.admin.get("/me", headers={"x-forwarded-proto": "https"})
        [(name, token)] = answer.cookies.items()
        same = {"x-forwarded-proto": "https", "origin": "https://manager.example.com"}
        write = await sending(api, cookie=f"{name}={token}", **same).post("/token/refresh")

    assert ("; Secure" in answer.headers["set-cookie"]) is secure
    assert write.status_code == (201 if secure else 403)


@pytest.mark.long
async def test_public_addresses_look_at_no_credentials(api: Api) -> None:
    for path in ("/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"):
        answer = await sending(api, authorization="Basic ???", cookie="PLATFORM_SESSION=x").get(path)

        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers


@pytest.mark.long
@pytest.mark.rule("E-4-1")
async def test_every_other_address_needs_credentials(api: Api) -> None:
    open_to_all = {"/api/health/live", "/api/health/ready", "/api/metrics", "/api/signin/options"}
    # A key in the path is the credential: who does not have one is not reported that there is such an address.
    keyed = {"/api/directory/{directory_key}/v2/apps", "/api/directory/{directory_key}/v2/apps/{app_id}"}
    # The token of a link in the body is the credential.
    linked = {"/api/password-links/open": {"token": "x"}, "/api/password-links/use": {"token": "x", "password": "y"}}
    expected = dict.fromkeys(keyed, 404) | dict.fromkeys(linked, 403)
    refused: dict[str, int] = {}
    for path, operations in api.app.openapi()["paths"].items():
        for method in [method for method in ("get", "post", "put", "patch", "delete") if method in operations]:
            answer = await api.client().request(method, OWN_ORIGIN + path, json=linked.get(path))
            if path not in open_to_all and answer.status_code != expected.get(path, 401):
                refused[f"{method} {path}"] = answer.status_code

    assert refused == {}
