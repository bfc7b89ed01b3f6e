"""Several nodes on one PostgreSQL, behind a plain load balancer: whichever answers, it is one server."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.end_to_end.live_stream import live_stream
from tests.end_to_end.processes import PATIENCE, run, serving
from tests.end_to_end.round_robin import round_robin
from tests.end_to_end.test_serve import ADMIN, environment_of
from tests.plain_http import NO_TLS
from tests.tables import empty_database

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}


@dataclass(frozen=True)
class Nodes:
    """Two nodes, what balances between them, and the database they share."""

    one: str
    other: str
    balanced: str
    store: str

    def admin(self, address: str = "") -> httpx.Client:
        return httpx.Client(base_url=address or self.balanced, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS)

    def add_user(self, user: str) -> tuple[str, str]:
        with self.admin() as admin:
            body = {"id": user, "password": f"{user}-password"}
            assert admin.post("/admin/users", json=body).status_code == 201
        return user, f"{user}-password"


@pytest.fixture(scope="module")
def nodes(postgresql_server: str) -> Iterator[Nodes]:
    with empty_database(postgresql_server) as store, ExitStack() as stack:
        # Both at once, on an empty database: only one of them makes the tables.
        started = [
            stack.enter_context(serving("manager", "serve", environment=environment_of(store))) for _ in range(2)
        ]
        one, other = (server.address for server in started)
        balanced = stack.enter_context(round_robin(one, other))
        yield Nodes(one, other, balanced, store)
        assert [server.stop() for server in started] == [0, 0]


def log_in(address: str, user: tuple[str, str]) -> dict[str, str]:
    return dict(httpx.get(f"{address}/me", auth=user, verify=NO_TLS).cookies)


def test_who_logs_in_at_one_node_is_known_at_the_other(nodes: Nodes) -> None:
    ann = nodes.add_user("ann")
    cookies = log_in(nodes.one, ann)
    session = httpx.post(f"{nodes.one}/sessions", json={}, auth=ann, verify=NO_TLS).json()
    bearer = {"Authorization": f"Bearer {session['token']}"}

    assert httpx.get(f"{nodes.other}/me", cookies=cookies, verify=NO_TLS).json()["id"] == "ann"
    assert httpx.get(f"{nodes.other}/me", headers=bearer, verify=NO_TLS).json()["id"] == "ann"
    assert (
        httpx.patch(f"{nodes.other}/sessions/{session['id']}", headers=bearer, json={}, verify=NO_TLS).status_code
        == 200
    )
    # A new connection each time, so that both nodes get some.
    seen = [httpx.get(f"{nodes.balanced}/me", cookies=cookies, verify=NO_TLS).status_code for _ in range(6)]
    assert seen == [200] * 6


def test_a_change_at_one_node_is_reported_at_the_other(nodes: Nodes) -> None:
    with live_stream(nodes.other, auth=ADMIN) as there, live_stream(nodes.one, auth=ADMIN) as here:
        there.until("ready")
        here.until("ready")
        with nodes.admin(nodes.one) as admin:
            revision = admin.post("/admin/apps", json={"definition": APP, "public": True}).json()["revision"]
        assert there.until("apps") == here.until("apps") == revision
        last = there.last_id
    with nodes.admin(nodes.one) as admin:
        revision = admin.patch("/admin/apps/blotter", json={"public": False}).json()["revision"]
    # Back at the other node: it shows what was missed.
    with live_stream(nodes.one, auth=ADMIN, headers={"Last-Event-ID": last}) as again:
        assert again.event() == ("apps", revision)


def test_changes_by_the_command_line_are_reported_at_every_node(nodes: Nodes) -> None:
    bob = nodes.add_user("bob")
    with live_stream(nodes.one, auth=bob) as here, live_stream(nodes.other, auth=bob) as there:
        here.until("ready")
        there.until("ready")
        done = run("manager", "user", "disable", "bob", **environment_of(nodes.store))
        assert done.returncode == 0, done.stderr
        assert here.ends()
        assert there.ends()
    assert httpx.get(f"{nodes.balanced}/me", auth=bob, verify=NO_TLS).status_code == 401


@pytest.mark.parametrize("how", ["sign out", "disable", "password", "delete", "end session"])
def test_who_is_sent_away_at_one_node_is_refused_at_the_other_at_once(nodes: Nodes, how: str) -> None:
    user = nodes.add_user(f"user to {how}")
    cookies = log_in(nodes.other, user)
    session = httpx.post(f"{nodes.other}/sessions", json={}, auth=user, verify=NO_TLS).json()
    bearer = {"Authorization": f"Bearer {session['token']}"}
    mine: dict[str, Any] = {"headers": bearer} if how == "end session" else {"cookies": cookies}
    # Known there, so that whatever is remembered is remembered.
    for _ in range(2):
        assert httpx.get(f"{nodes.other}/apps", auth=user, verify=NO_TLS).status_code == 200
        assert httpx.get(f"{nodes.other}/apps", **mine, verify=NO_TLS).status_code == 200
    with live_stream(nodes.other, **mine) as stream, nodes.admin(nodes.one) as admin:
        stream.until("ready")
        address = f"/admin/users/{user[0]}"
        match how:
            case "sign out":
                origin = {"Origin": nodes.one.removesuffix("/api")}
                done = httpx.post(f"{nodes.one}/logout", cookies=cookies, headers=origin, verify=NO_TLS)
            case "disable":
                done = admin.patch(address, json={"disabled": True})
            case "password":
                done = admin.patch(address, json={"password": "another password"})
            case "delete":
                done = admin.delete(address)
            case _:
                done = admin.delete(f"/admin/sessions/{session['id']}")
        assert done.is_success
        assert httpx.get(f"{nodes.other}/apps", **mine, verify=NO_TLS).status_code == 401
        assert stream.ends()
    still = httpx.get(f"{nodes.other}/apps", auth=user, verify=NO_TLS).status_code
    assert still == (200 if how in ("sign out", "end session") else 401)


def test_a_change_of_groups_counts_at_the_other_node_at_once(nodes: Nodes) -> None:
    cid = nodes.add_user("cid")
    with nodes.admin(nodes.one) as admin:
        assert httpx.get(f"{nodes.other}/admin/groups", auth=cid, verify=NO_TLS).status_code == 403
        admin.post("/admin/groups", json={"name": "Keepers", "expandsTo": ["PLATFORM_MANAGER:GROUPS:READ"]})
        admin.patch("/admin/users/cid", json={"groups": ["Keepers"]})
        assert httpx.get(f"{nodes.other}/admin/groups", auth=cid, verify=NO_TLS).status_code == 200
        admin.patch("/admin/groups/Keepers", json={"expandsTo": []})
        assert httpx.get(f"{nodes.other}/admin/groups", auth=cid, verify=NO_TLS).status_code == 403


def test_files_and_receipts_are_the_same_at_every_node(nodes: Nodes) -> None:
    dan = nodes.add_user("dan")
    dump = b"MDMP" * 500_000
    sent = httpx.post(
        f"{nodes.one}/crashes", auth=dan, data={"_version": "1"}, files={"upload_file_minidump": dump}, verify=NO_TLS
    )
    session = httpx.post(f"{nodes.one}/sessions", json={}, auth=dan, verify=NO_TLS).json()["id"]
    with nodes.admin(nodes.other) as admin:
        assert admin.get(f"/admin/crashes/{sent.text}/minidump").content == dump
        made = admin.post("/admin/prefs", json={"user": "dan", "app": "blotter", "data": {}}).json()["revision"]
        applied = {"applied": {"prefs": made}}
        assert httpx.patch(f"{nodes.one}/sessions/{session}", json=applied, auth=dan, verify=NO_TLS).status_code == 200
        found = admin.get("/admin/sessions/receipts", params={"kind": "prefs", "revision": made}).json()
        assert [(item["user"], item["applied"]) for item in found["items"]] == [("dan", True)]


@pytest.mark.long
def test_stopping_a_node_ends_its_streams_and_clients_go_on_at_another(nodes: Nodes) -> None:
    with serving("manager", "serve", environment=environment_of(nodes.store)) as third:
        address = third.address
        with live_stream(address, auth=ADMIN) as stream:
            stream.until("ready")
            last = stream.last_id
            assert third.stop() == 0
            assert stream.ends()
    with nodes.admin(nodes.one) as admin:
        made = admin.post("/admin/prefs", json={"user": "admin", "app": "of the third", "data": {}}).json()
    with live_stream(nodes.other, auth=ADMIN, headers={"Last-Event-ID": last}) as again:
        assert again.event() == ("prefs", made["revision"])
