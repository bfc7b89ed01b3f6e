"""What the response cache answers without asking the database, and when it must not."""

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, Table, event
from sqlalchemy.sql.visitors import iterate

from rostrum.base.clock import SettableClock
from rostrum.manager.database.content_versions import FEEDS
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.repository import Users
from rostrum.manager.web import cached_reads
from tests.conftest import ORIGIN, Api, manager_config, running_api

_IS_OF_TEST: ContextVar[bool] = ContextVar("is_of_test", default=False)
OPENING = {"machine": {"name": "DESK"}, "version": "10", "env": "UAT", "region": "EMEA", "product": "desktop"}
APP = {"name": "blotter", "type": "window", "title": "x" * 2000, "details": {"url": "https://apps.example.com"}}


@contextmanager
def statements() -> Iterator[list[Any]]:
    """Collect every statement that any engine executes for the test, and none of what runs in the background."""
    seen: list[Any] = []
    # Tasks inherit it from the task that starts them, so it is not set in those that already run.
    is_of_test = _IS_OF_TEST.set(True)

    def note(_connection: Any, statement: Any, *_: Any) -> None:
        if _IS_OF_TEST.get():
            seen.append(statement)

    event.listen(Engine, "before_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_execute", note)
        _IS_OF_TEST.reset(is_of_test)


class Polls:
    """A client that polls, and remembers what it has got."""

    def __init__(self, client: httpx.AsyncClient, path: str = "/apps", **options: Any) -> None:
        self.client, self.path, self.options = client, path, options
        self.tag = ""
        # The poll of browser platforms asks in a body.
        self.method = "POST" if path == "/user" else "GET"
        if path == "/user":
            self.options["json"] = {}

    async def __call__(self, method: str | None = None, **options: Any) -> httpx.Response:
        answer = await self.client.request(
            method or self.method,
            self.path,
            headers={"If-None-Match": self.tag} if self.tag else {},
            **self.options,
            **options,
        )
        self.tag = answer.headers.get("etag", "")
        return answer

    async def until_ready(self) -> "Polls":
        """Poll until the cache knows the caller and has both forms of the answer."""
        for _ in range(3):
            assert (await self()).status_code in (200, 304)
        return self


async def add_app(api: Api, **members: Any) -> None:
    answer = await api.admin.post("/admin/apps", json={"definition": APP, "public": True, **members})
    assert answer.status_code == 201, answer.text


async def cookie_client(api: Api, user: httpx.AsyncClient) -> httpx.AsyncClient:
    cookie = (await user.get("/me")).headers["set-cookie"].partition(";")[0]
    return api.client(headers={"Cookie": cookie, "Origin": ORIGIN})


async def token_client(api: Api, user: httpx.AsyncClient) -> tuple[httpx.AsyncClient, str]:
    opened = (await user.post("/sessions", json=OPENING)).json()
    return api.client(headers={"Authorization": f"Bearer {opened['token']}"}), opened["id"]


@pytest.mark.parametrize("kind", ["basic", "cookie", "token"])
async def test_a_poll_that_finds_nothing_new_reads_nothing_from_the_database(api: Api, kind: str) -> None:
    user = await api.add_user("ann", "Trading")
    await user.post("/prefs", json={"app": "blotter", "data": {}})
    clients = {"basic": user, "cookie": await cookie_client(api, user), "token": (await token_client(api, user))[0]}
    for path in cached_reads():
        params = {"app": "blotter"} if path == "/prefs" else {}
        poll = await Polls(clients[kind], path, params=params).until_ready()
        watched: list[str] = []
        api.app._manager.storage.revisions._connection.set_trace_callback(watched.append)

        with statements() as seen:
            answers = [await poll() for _ in range(3)]

        assert [answer.status_code for answer in answers] == [304, 304, 304]
        assert seen == []
        assert set(watched) == {"PRAGMA data_version"}


async def test_a_full_list_reads_nothing_from_the_database_either(api: Api) -> None:
    await add_app(api)
    client = await cookie_client(api, api.admin)
    await Polls(client).until_ready()

    with statements() as seen:
        answer = await client.get("/apps")

    assert answer.json() == {"applications": [APP]}
    assert seen == []


async def test_heartbeats_make_no_poll_read_again(api: Api) -> None:
    user = await api.add_user("ann")
    client, session = await token_client(api, user)
    poll = await Polls(client).until_ready()
    assert (await client.patch(f"/sessions/{session}", json={})).status_code == 200

    with statements() as seen:
        assert (await poll()).status_code == 304

    assert seen == []


async def test_users_of_the_same_groups_share_what_was_read_once(api: Api) -> None:
    await add_app(api, public=False, accessList=["Trading"])
    ann, bob = await api.add_user("ann", "Trading"), await api.add_user("bob", "Trading")
    await bob.get("/me")
    first = await ann.get("/apps")

    with statements() as seen:
        second = await bob.get("/apps")

    assert second.json() == first.json() == {"applications": [APP]}
    assert seen == []


async def test_after_a_change_one_reads_for_all_that_come_at_once(api: Api) -> None:
    await add_app(api)
    poll = await Polls(await cookie_client(api, api.admin)).until_ready()
    await api.admin.patch("/admin/apps/blotter", json={"definition": {**APP, "title": "new"}})
    await poll.client.get("/me")

    with statements() as seen:
        answers = await asyncio.gather(*(poll.client.get("/apps") for _ in range(40)))

    assert {answer.json()["applications"][0]["title"] for answer in answers} == {"new"}
    assert len([statement for statement in seen if "apps.definition" in str(statement)]) == 1


async def change_title(api: Api) -> None:
    await api.admin.patch("/admin/apps/blotter", json={"definition": {**APP, "title": "new"}})


async def withdraw_app(api: Api) -> None:
    await api.admin.patch("/admin/apps/blotter", json={"disabled": True})


async def delete_app(api: Api) -> None:
    await api.admin.delete("/admin/apps/hidden")


async def share_app(api: Api) -> None:
    await api.admin.patch("/admin/apps/sales", json={"accessList": ["Trading"]})


async def take_access_away(api: Api) -> None:
    await api.admin.patch("/admin/apps/sales", json={"accessList": []})


async def leave_group(api: Api) -> None:
    await api.admin.patch("/admin/users/ann", json={"groups": ["Trading", "Strong", "Weak"]})


async def join_group(api: Api) -> None:
    await api.admin.patch("/admin/users/ann", json={"groups": ["Trading", "Strong", "Weak", "Sales"]})


async def expand_group(api: Api) -> None:
    await api.admin.patch("/admin/groups/Trading", json={"expandsTo": ["Sales"]})


async def contract_group(api: Api) -> None:
    await api.admin.patch("/admin/groups/Trading", json={"expandsTo": []})


async def weigh_group(api: Api) -> None:
    await api.admin.patch("/admin/groups/Weak", json={"priority": 9})


async def give_app(api: Api) -> None:
    await api.admin.patch("/admin/users/ann", json={"apps": ["hidden"]})


async def change_address(api: Api) -> None:
    await api.admin.patch("/admin/users/ann", json={"email": "ann@example.com"})


async def configure(api: Api, **scope: str) -> None:
    body = {"file": "system.json", "contents": {"new": sorted(scope)}, **scope}
    assert (await api.admin.post("/admin/configs", json=body)).status_code == 201


async def configure_all(api: Api) -> None:
    await configure(api, version="10")


async def configure_group(api: Api) -> None:
    await configure(api, group="Trading")


async def configure_user(api: Api) -> None:
    await configure(api, user="ann")


def layout(name: str) -> dict[str, Any]:
    return {"name": name, "type": "Global", "components": []}


async def save_layout(api: Api) -> None:
    await api.client(ANN).post("/layouts", json={"layout": layout("Morning")})


async def share_layout(api: Api) -> None:
    body = {"definition": layout("Common"), "owner": "*", "public": True}
    assert (await api.admin.post("/admin/layouts", json=body)).status_code == 201


async def choose_default(api: Api) -> None:
    await api.client(ANN).post("/layouts/default", json={"name": "Evening", "type": "Global"})


async def save_preference(api: Api) -> None:
    await api.client(ANN).post("/prefs", json={"app": "blotter", "data": {"n": 1}})


async def clear_preferences(api: Api) -> None:
    await api.client(ANN).request("DELETE", "/prefs", json={})


ANN = ("ann", "ann-password")
# In an order in which each one matters to ann.
VISIBLE_CHANGES = [
    *(("/apps", change) for change in (change_title, give_app, withdraw_app, delete_app)),
    ("/apps", join_group),
    ("/systemConfig/get", leave_group),
    ("/me", join_group),
    ("/apps", leave_group),
    ("/apps", expand_group),
    ("/systemConfig/get", contract_group),
    ("/systemConfig/get", weigh_group),
    ("/v2/apps", share_app),
    ("/apps", take_access_away),
    *(("/layouts", change) for change in (save_layout, share_layout)),
    ("/layouts/default", choose_default),
    *(("/prefs?app=blotter", change) for change in (save_preference, clear_preferences)),
    ("/prefs/all", save_preference),
    ("/systemConfig/get?version=10", configure_all),
    *(("/systemConfig/get", change) for change in (configure_group, configure_user)),
    ("/me", change_address),
]


@pytest.mark.long
async def test_the_next_poll_after_a_change_sees_it(api: Api) -> None:
    await furnish(api)
    client = await cookie_client(api, api.client(ANN))
    for path, change in VISIBLE_CHANGES:
        poll = await Polls(client, path).until_ready()
        before = (await client.get(path)).content

        await change(api)

        answer = await poll()
        assert (answer.status_code, answer.content != before) == (200, True), (path, change.__name__)


async def furnish(api: Api) -> None:
    """Make a small firm in which every change below matters to ann."""
    await add_app(api, public=False, accessList=["Trading"])
    for name, access in (("hidden", []), ("sales", ["Sales"])):
        body = {"definition": {**APP, "name": name}, "accessList": access}
        await api.admin.post("/admin/apps", json=body)
    user = await api.add_user("ann", "Trading", "Strong", "Weak")
    for group, priority in (("Strong", 5), ("Weak", 1), ("Sales", 0)):
        await api.admin.patch(f"/admin/groups/{group}", json={"priority": priority})
        body = {"file": "system.json", "contents": {"winner": group, group: True}, "group": group}
        await api.admin.post("/admin/configs", json=body)
    await user.post("/layouts", json={"layout": layout("Evening")})
    await user.post("/prefs", json={"app": "blotter", "data": {"n": 0}})


async def change_password(api: Api, _session: str) -> None:
    await api.admin.patch("/admin/users/ann", json={"password": "another-password"})


async def disable(api: Api, _session: str) -> None:
    await api.admin.patch("/admin/users/ann", json={"disabled": True})


async def delete_user(api: Api, _session: str) -> None:
    await api.admin.delete("/admin/users/ann")


async def end_session(api: Api, session: str) -> None:
    assert (await api.admin.delete(f"/admin/sessions/{session}")).status_code == 204


REVOCATIONS = [
    *((kind, action) for kind in ("basic", "cookie", "token") for action in (change_password, disable, delete_user)),
    ("token", end_session),
]


@pytest.mark.long
async def test_a_revoked_caller_is_refused_at_the_next_poll(api: Api) -> None:
    for kind, revoke in REVOCATIONS:
        await api.admin.delete("/admin/users/ann")
        user = await api.add_user("ann")
        token, session = await token_client(api, user)
        clients = {"basic": user, "cookie": await cookie_client(api, user), "token": token}
        poll = await Polls(clients[kind]).until_ready()

        await revoke(api, session)

        refused = await poll()
        assert refused.status_code == 401, (kind, revoke.__name__)
        assert refused.json()["error"]["code"] == 401
        assert "WWW-Authenticate" in refused.headers


@pytest.mark.parametrize("kind", ["cookie", "token"])
async def test_signing_out_ends_polling_at_once(api: Api, kind: str) -> None:
    user = await api.add_user("ann")
    clients = {"cookie": await cookie_client(api, user), "token": (await token_client(api, user))[0]}
    poll = await Polls(clients[kind]).until_ready()

    assert (await poll.client.post("/logout")).status_code == 204

    assert (await poll()).status_code == 401


@pytest.mark.parametrize(("kind", "seconds"), [("cookie", 3600), ("token", 2_592_000)])
async def test_a_poll_does_not_outlive_its_token(api: Api, clock: SettableClock, kind: str, seconds: int) -> None:
    user = await api.add_user("ann")
    clients = {"cookie": await cookie_client(api, user), "token": (await token_client(api, user))[0]}
    poll = await Polls(clients[kind]).until_ready()
    clock.advance(seconds - 1)
    assert (await poll()).status_code == 304

    clock.advance(1)

    assert (await poll()).status_code == 401


async def test_a_password_is_remembered_as_long_as_polls_use_it(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    poll = await Polls(user).until_ready()
    for _ in range(5):
        clock.advance(299)
        with statements() as seen:
            assert (await poll()).status_code == 304
        assert seen == []

    clock.advance(301)

    with statements() as seen:
        assert (await poll()).status_code == 304
    assert seen != []


async def test_another_password_of_a_known_caller_is_refused(api: Api) -> None:
    await Polls(await api.add_user("ann")).until_ready()

    assert (await api.client(("ann", "guess")).get("/apps")).status_code == 401
    twice = [("Authorization", "Basic YW5uOmFubi1wYXNzd29yZA=="), ("Authorization", "Basic YW5uOmd1ZXNz")]
    assert (await api.client().get("/apps", headers=twice)).status_code == 401


async def test_what_another_process_changes_is_seen_at_the_next_poll(store: str, clock: SettableClock) -> None:
    config = manager_config(store)
    async with running_api(config, clock) as api, running_api(config, clock) as other:
        await add_app(api)
        user = await api.add_user("ann", "Trading")
        poll = await Polls(await cookie_client(api, user)).until_ready()

        await change_title(other)
        assert (await poll()).json()["applications"][0]["title"] == "new"
        assert (await poll()).status_code == 304
        await disable(other, "")
        assert (await poll()).status_code == 401


async def test_what_the_command_line_changes_is_seen_at_the_next_poll(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    poll = await Polls(user).until_ready()
    storage = manager_storage(api.config.store, clock)

    async with storage.write("(command line)") as work:
        await work.of(Users).remove("ann")
    await storage.close()

    assert (await poll()).status_code == 401


async def test_the_cookie_of_a_page_that_is_not_allowed_is_rejected_for_post(api: Api) -> None:
    user = await api.add_user("ann")
    client = await cookie_client(api, user)
    for _ in range(3):
        assert (await client.post("/systemConfig/get", json={})).status_code == 200
        assert (await user.post("/systemConfig/get", json={})).status_code == 200

    for origin in ("http://other.example.com", "null"):
        assert (await client.post("/systemConfig/get", json={}, headers={"Origin": origin})).status_code == 403
    del client.headers["Origin"]
    assert (await client.post("/systemConfig/get", json={})).status_code == 403


async def test_a_request_for_another_user_is_never_answered_from_the_cache_of_others(api: Api) -> None:
    await api.add_user("bob")
    await configure(api, user="bob")
    ann = await api.add_user("ann")
    asked = b'{"\\u0075ser": "bob"}'
    sent: list[dict[str, Any]] = [
        {"content": asked, "headers": {"Content-Type": "application/json"}},
        {"json": {"identifier": {"user": "bob"}}},
        {"params": {"user": "bob"}},
        {"headers": {"impersonated_user": "bob"}},
        {"content": gzip.compress(asked), "headers": {"Content-Type": "application/json", "Content-Encoding": "gzip"}},
    ]
    for request in sent:
        for _ in range(3):
            own = await api.admin.post("/systemConfig/get")
            allowed = await api.admin.post("/systemConfig/get", **request)
            assert own.json() == {}
            assert allowed.json() == {"system.json": {"contents": {"new": ["user"]}}}
            assert (await ann.post("/systemConfig/get", **request)).status_code == 403


async def test_what_is_one_users_own_never_reaches_others_of_the_same_groups(api: Api) -> None:
    await add_app(api, public=False)
    ann, bob, cleo = [await api.add_user(name, "Trading") for name in ("ann", "bob", "cleo")]
    for path in ("/apps", "/systemConfig/get"):
        for user in (bob, ann):
            await Polls(user, path).until_ready()

    await configure(api, user="ann")
    for _ in range(3):
        assert (await ann.get("/systemConfig/get")).json() == {"system.json": {"contents": {"new": ["user"]}}}
        assert (await bob.get("/systemConfig/get")).json() == {}

    await api.admin.patch("/admin/users/ann", json={"apps": ["blotter"]})
    for _ in range(3):
        assert (await ann.get("/apps")).json() == {"applications": [APP]}
        assert (await bob.get("/apps")).json() == {"applications": []}
        assert (await bob.post("/systemConfig/get", json={"user": "bob"})).status_code == 200
        assert (await cleo.post("/systemConfig/get", json={"user": "bob"})).status_code == 403


async def test_lists_are_sent_compressed_to_those_who_take_it(api: Api) -> None:
    await add_app(api)
    client = await cookie_client(api, api.admin)
    for _ in range(3):
        plain = await client.get("/apps", headers={"Accept-Encoding": "identity"})
        packed = await client.get("/apps", headers={"Accept-Encoding": "gzip"})

        assert packed.content == plain.content
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) == len(plain.content)
        assert packed.headers["etag"] != plain.headers["etag"]
        assert "Accept-Encoding" in plain.headers["vary"]
        assert "Accept-Encoding" in packed.headers["vary"]
        for held in (plain, packed):
            again = await client.get("/apps", headers={"If-None-Match": held.headers["etag"]})
            assert (again.status_code, again.headers["etag"]) == (304, held.headers["etag"])


async def test_every_table_that_a_hot_read_reads_is_watched(api: Api) -> None:
    user = await api.add_user("ann", "Trading")
    clients = {path: (await token_client(api, user))[0] for path in cached_reads()}
    with statements() as seen:
        for path, client in clients.items():
            poll = Polls(client, path, params={"app": "x"} if path == "/prefs" else {})
            assert (await poll()).status_code == 200

    read = {table.name for statement in seen if hasattr(statement, "get_final_froms") for table in tables_of(statement)}
    # Revocations are watched by the statements that make them; the rest says how much has changed.
    assert read - set(FEEDS) <= {"sessions", "revoked_tokens", "revision"}
    assert {"apps", "users", "layouts", "preferences", "config_files"} <= read


def tables_of(statement: Any) -> Iterator[Any]:
    return (part for part in iterate(statement) if isinstance(part, Table))
