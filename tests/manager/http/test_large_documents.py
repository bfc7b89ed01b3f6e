"""Documents of a size, or of a shape, that would keep others waiting."""

import asyncio
import gzip
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import Any

import pytest
from sqlalchemy import event

from rostrum.base import json_text
from rostrum.base.clock import SettableClock
from rostrum.base.offload import LARGE
from rostrum.contracts import apps, layouts
from rostrum.manager.audit import preparation as audit_preparation
from rostrum.manager.audit.model import shown_changes
from rostrum.manager.configs import checks as config_checks
from rostrum.manager.configs import explanations
from rostrum.manager.configs import service as configs
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.database.engine import Database
from rostrum.manager.errors import Unavailable
from rostrum.manager.history import service as history
from rostrum.manager.preview import config_differences
from rostrum.manager.purge import purge
from rostrum.manager.reports import service as reports
from tests.conftest import Api, manager_config, running_api

WORK: list[tuple[Any, str]] = [
    (json_text, "parse"),
    (config_checks, "check_contents"),
    (configs, "merged_text"),
    (audit_preparation, "shown_changes"),
    (history, "diff"),
    (explanations, "explain_file"),
    (config_differences, "laid_over"),
    (apps, "check_app"),
    (layouts, "check_layout"),
]
"""What takes long for a large document: where it is called, and what it is called."""


FOUR_MILLION_ARRAYS = gzip.compress(b'{"app":"a","data":[' + b"[]," * 3_999_999 + b"[]]}")
"""12 kB on the wire, more than a gigabyte as objects."""


def large(number: int = 0) -> dict[str, Any]:
    return {"notifications": {f"toast{n}": number for n in range(LARGE // 8)}}


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[threading.Thread]]:
    """The threads in which each kind of work is done."""
    found: dict[str, set[threading.Thread]] = {}

    def noted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def work(*arguments: Any, **options: Any) -> Any:
            # Small things are dealt with on the way too.
            if name == "laid_over" or len(repr(arguments)) >= LARGE:
                found.setdefault(name, set()).add(threading.current_thread())
            return real(*arguments, **options)

        return work

    for module, name in WORK:
        monkeypatch.setattr(module, name, noted(name, getattr(module, name)))
    return found


@pytest.mark.long
async def test_the_loop_does_no_long_work_on_a_large_document(api: Api, busy: dict[str, set[threading.Thread]]) -> None:
    made = (await api.admin.post("/admin/configs", json={"file": "system.json", "contents": large()})).json()
    change = {"contents": large(1)}
    proposal = {"changes": [{"action": "change", "key": made["id"], "document": change}]}
    over = {"file": "system.json", "contents": {"notifications": {"enabled": True}}, "user": "admin"}
    note = "x" * LARGE
    app = {
        "name": "big",
        "type": "window",
        "details": {"url": "https://big.example.com"},
        "customProperties": {note: 1},
    }
    layout = {"name": "big", "type": "Global", "components": [], "metadata": {note: 1}}

    for method, path, body in (
        ("PATCH", f"/admin/configs/{made['id']}", change),
        ("POST", "/admin/configs", over),
        ("GET", "/systemConfig/get", None),
        ("GET", "/admin/configs/explain?user=admin", None),
        ("GET", f"/admin/configs/{made['id']}/revisions/compare", None),
        ("POST", "/admin/previews/configs", proposal),
        ("POST", "/admin/apps", {"definition": app}),
        ("GET", "/v2/apps", None),
        ("POST", "/layouts", {"layout": layout}),
    ):
        answer = await api.admin.request(method, path, json=body)
        assert answer.is_success, answer.text

    assert busy.keys() == {name for _, name in WORK}
    on_the_loop = [name for name, threads in busy.items() if threading.current_thread() in threads]
    assert on_the_loop == []


@pytest.mark.long
async def test_no_large_difference_is_computed_while_others_wait_to_write(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever writes a large document: the audit is computed while another write gets through."""
    real = shown_changes
    computing, written = threading.Event(), threading.Event()
    compared: list[int] = []

    def compare(changes: Any) -> Any:
        if sum(len(change.before or "") + len(change.after or "") for change in changes) >= LARGE:
            compared.append(len(changes))
            computing.set()
            assert written.wait(30), "another write waits for the difference"
        return real(changes)

    monkeypatch.setattr(audit_preparation, "shown_changes", compare)

    async def beside(method: str, path: str, body: Any) -> Any:
        computing.clear()
        written.clear()
        done = len(compared)
        writing = asyncio.create_task(api.admin.request(method, path, json=body))
        assert await asyncio.to_thread(computing.wait, 30), f"{method} {path} compared nothing"
        other = await api.admin.post("/layouts/default", json={})
        written.set()
        answer = await writing
        assert other.status_code == 201
        assert answer.is_success, answer.text
        # Once only: the second run found it prepared.
        assert len(compared) == done + 1, f"{method} {path}"
        return answer.json() if answer.content else None

    data = large()
    app = {"name": "big", "type": "window", "details": {"url": "https://big.example.com"}, "customProperties": data}
    layout = {"name": "big", "type": "Global", "components": [], "metadata": data}
    await api.add_user("ann")
    pref = await beside("POST", "/admin/prefs", {"user": "ann", "app": "a", "data": data})
    config = await beside("POST", "/admin/configs", {"file": "other.json", "contents": data})
    kept = await beside("POST", "/admin/layouts", {"owner": "ann", "definition": layout})
    for method, path, body in (
        ("POST", "/prefs", {"app": "a", "data": data}),
        ("POST", "/prefs", {"app": "a", "data": large(1)}),
        ("DELETE", "/prefs", {"app": "a"}),
        ("PATCH", f"/admin/prefs/{pref['id']}", {"data": large(1)}),
        ("POST", "/layouts", {"layout": layout}),
        ("PUT", "/layouts", {"layout": {**layout, "metadata": large(2)}, "newName": "bigger"}),
        ("DELETE", "/layouts", {"name": "bigger", "type": "Global"}),
        ("PATCH", f"/admin/layouts/{kept['id']}", {"definition": {**layout, "metadata": large(1)}}),
        ("POST", "/admin/imports/layouts", {"layouts": [layout]}),
        ("POST", "/admin/apps", {"definition": app}),
        ("PATCH", "/admin/apps/big", {"definition": {**app, "customProperties": large(1)}}),
        ("POST", "/admin/imports/apps", {"applications": [app], "overwrite": True}),
        ("DELETE", "/admin/apps/big", None),
        ("PATCH", f"/admin/configs/{config['id']}", {"contents": large(1)}),
        ("PUT", f"/admin/configs/{config['id']}", {"file": "other.json", "contents": large(2)}),
        ("DELETE", f"/admin/configs/{config['id']}", None),
        ("DELETE", "/admin/users/ann", None),
    ):
        await beside(method, path, body)
        if path == "/admin/imports/apps":
            revisions = (await api.admin.get("/admin/apps/big/revisions")).json()["items"]
            await beside("POST", "/admin/apps/big/rollback", {"revision": revisions[1]["revision"]})

    assert (await api.admin.get("/admin/audit/verify")).json()["ok"]
    entries = (await api.admin.get("/admin/audit?limit=1000&operation=savePreferences")).json()["items"]
    assert [edit["path"] for edit in entries[0]["changes"][0]["diff"][:2]] == [
        "/data/notifications/toast0",
        "/data/notifications/toast1",
    ]


@pytest.mark.long
async def test_a_large_document_is_written_to_the_database_once_and_prepared_before_the_transaction(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other writers wait for a transaction: it must not write JSON, nor send what is undone afterwards."""
    database = api.app._manager.storage._database
    sent: list[str] = []
    transactions = 0

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_others: Any) -> None:
        values = parameters.values() if isinstance(parameters, dict) else parameters
        if any(isinstance(value, str) and len(value) >= LARGE for value in values):
            sent.append(" ".join(statement.split()[:3]))

    real_write, real_dump = Database.write, json_text.dump
    dumped_inside: list[int] = []

    @asynccontextmanager
    async def write(self: Database) -> AsyncIterator[Any]:
        nonlocal transactions
        async with real_write(self) as connection:
            transactions += 1
            try:
                yield connection
            finally:
                transactions -= 1

    def dump(value: Any) -> bytes:
        text = real_dump(value)
        if transactions and len(text) >= LARGE:
            dumped_inside.append(len(text))
        return text

    event.listen(database._engine.sync_engine, "before_cursor_execute", note)
    monkeypatch.setattr(Database, "write", write)
    monkeypatch.setattr(json_text, "dump", dump)
    layout = {"name": "big", "type": "Global", "components": [], "metadata": large()}
    config = (await api.admin.post("/admin/configs", json={"file": "other.json", "contents": {}})).json()["id"]
    for method, path, body, expected in (
        ("POST", "/prefs", {"app": "a", "data": large()}, ["INSERT INTO preferences", "INSERT INTO history"]),
        ("POST", "/prefs", {"app": "a", "data": large(1)}, ["UPDATE preferences SET", "INSERT INTO history"]),
        ("POST", "/layouts", {"layout": layout}, ["INSERT INTO layouts", "INSERT INTO history"]),
        (
            "PUT",
            "/layouts",
            {"layout": {**layout, "metadata": large(1)}, "newName": "bigger"},
            ["UPDATE layouts SET", "INSERT INTO history"],
        ),
        (
            "PATCH",
            f"/admin/configs/{config}",
            {"contents": large()},
            ["UPDATE config_files SET", "INSERT INTO history"],
        ),
    ):
        sent.clear()
        answer = await api.admin.request(method, path, json=body)
        assert answer.is_success, answer.text
        assert sent == expected, (method, path)
    assert dumped_inside == []


async def test_a_large_write_that_others_keep_overtaking_is_kept_and_its_entry_reports_the_sizes(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, overtaken = audit_preparation._Preparation.prepare, 0

    async def prepare(self: Any, changes: Any) -> None:
        nonlocal overtaken
        await real(self, changes)
        # Another desktop of the same user saves in between.
        overtaken += 1
        assert (await api.admin.post("/prefs", json={"app": "a", "data": overtaken})).status_code == 201

    await api.admin.post("/prefs", json={"app": "a", "data": 0})
    monkeypatch.setattr(audit_preparation._Preparation, "prepare", prepare)
    answer = await api.admin.post("/prefs", json={"app": "a", "data": large()})
    monkeypatch.undo()

    assert (answer.status_code, overtaken) == (201, 3)
    assert (await api.admin.get("/prefs?app=a")).json()["data"] == large()
    (entry,) = (await api.admin.get("/admin/audit?limit=1")).json()["items"]
    (edit,) = entry["changes"][0]["diff"]
    assert (edit["op"], edit["path"]) == ("replace", "")
    assert edit["afterSize"] > LARGE > edit["beforeSize"] > 0
    assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


async def test_others_write_while_a_large_file_is_checked(
    sqlite: str, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checking, written = threading.Event(), threading.Event()
    real = config_checks.check_contents

    def check(*arguments: Any) -> Any:
        checking.set()
        assert written.wait(30)
        return real(*arguments)

    async with running_api(manager_config(sqlite, configs={"check": "error"}), clock) as api:
        made = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {}})
        address = f"/admin/configs/{made.json()['id']}"
        monkeypatch.setattr(config_checks, "check_contents", check)
        change = asyncio.create_task(api.admin.patch(address, json={"contents": large()}))
        await asyncio.to_thread(checking.wait, 30)
        group = await api.admin.post("/admin/groups", json={"name": "Meanwhile"})
        gone = await api.admin.delete(address)
        written.set()
        late = await change

    assert (group.status_code, gone.status_code) == (201, 204)
    assert late.status_code == 404


async def test_a_file_that_was_moved_while_it_was_checked_is_left_alone(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {}})
    address = f"/admin/configs/{made.json()['id']}"

    async def judge(_self: Any, _place: Any, _contents: str) -> None:
        monkeypatch.undo()
        moved = await api.admin.put(address, json={"file": "system.json", "contents": {}, "version": "10"})
        assert moved.status_code == 200, moved.text

    monkeypatch.setattr(config_checks.ConfigChecks, "refuse_errors", judge)
    late = await api.admin.patch(address, json={"contents": {"a": 1}})

    assert late.status_code == 409
    assert (await api.admin.get(address)).json()["contents"] == {}


@pytest.mark.long
async def test_a_comparison_lists_the_first_edits_and_counts_the_rest(api: Api) -> None:
    """Names are repeated in the path of each edit: a long one with many members in it must not fill the memory."""
    many, long = {f"k{n}": n for n in range(10_500)}, "n" * 200_000
    address = "/admin/prefs"
    made = (await api.admin.post(address, json={"user": "admin", "app": "a", "data": {"a": many}})).json()["id"]

    async def compared(data: Any) -> Any:
        assert (await api.admin.patch(f"{address}/{made}", json={"data": data})).status_code == 200
        return (await api.admin.get(f"{address}/{made}/revisions/compare")).json()

    found = await compared({"a": {}})
    assert (len(found["diff"]), found["omitted"]) == (10_000, 500)
    assert found["diff"][0] == {"op": "remove", "path": "/data/a/k0", "before": 0}
    await compared({long: {f"k{n}": n for n in range(1000)}})
    found = await compared({long: {}})
    assert 0 < len(found["diff"]) < 100
    assert len(found["diff"]) + found["omitted"] == 1000
    (entry,) = (await api.admin.get("/admin/audit?limit=1")).json()["items"]
    assert len(json_text.dump(entry)) < 100_000
    assert entry["changes"][0]["omitted"] == 1000


async def test_an_explanation_lists_what_was_dropped_up_to_a_bound_and_counts_the_rest(api: Api) -> None:
    base = {"file": "other.json", "contents": {"a": {f"k{n}": n for n in range(1500)}}}
    over = {"file": "other.json", "contents": {"a": 1}, "version": "10"}
    for body in (base, over, {"file": "other.json", "contents": {"a": {"b": 1}}, "user": "admin"}):
        assert (await api.admin.post("/admin/configs", json=body)).status_code == 201

    found = (await api.admin.get("/admin/configs/explain?user=admin&version=10")).json()

    assert (len(found["dropped"]), found["moreDropped"], found["total"]) == (1000, 500, 1)


async def test_pages_of_an_explanation_go_on_from_file_to_file(api: Api) -> None:
    for file in ("one.json", "system.json", "two.json"):
        contents = {f"k{n}": n for n in range(4)}
        assert (await api.admin.post("/admin/configs", json={"file": file, "contents": contents})).status_code == 201
    whole = (await api.admin.get("/admin/configs/explain?defaults=true&limit=1000")).json()

    for offset in (0, 3, 5, whole["total"] - 5):
        page = (await api.admin.get(f"/admin/configs/explain?defaults=true&limit=6&offset={offset}")).json()
        assert page["items"] == whole["items"][offset : offset + 6]
        assert page["total"] == whole["total"] == len(whole["items"])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/prefs"),
        ("GET", "/prefs"),
        ("DELETE", "/prefs"),
        ("POST", "/layouts"),
        ("POST", "/sessions"),
        ("POST", "/systemConfig/get"),
        ("POST", "/admin/imports/apps"),
        ("POST", "/admin/previews/configs"),
    ],
)
async def test_a_small_body_that_unpacks_to_millions_of_objects_is_refused(
    api: Api, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    monkeypatch.setattr(json_text, "_decoder", None)

    answer = await api.admin.request(method, path, content=FOUR_MILLION_ARRAYS, headers=headers)

    assert answer.status_code == 413, answer.text
    assert "more than 250000 elements" in answer.json()["error"]["message"]
    monkeypatch.undo()
    assert (await api.admin.get("/prefs/all")).json() == []


async def test_json_inside_of_json_has_the_same_limit(api: Api) -> None:
    identifier = '{"user":' + "[" + "[]," * 300_000 + "[]]}"

    answer = await api.admin.post("/systemConfig/get", json={"identifier": identifier})

    assert answer.status_code == 413


async def test_the_limit_on_elements_is_a_setting(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, maxElements=1000), clock) as api:
        fits = await api.admin.post("/prefs", json={"app": "a", "data": [1] * 990})
        refused = await api.admin.post("/prefs", json={"app": "a", "data": [1] * 1010})
        kept = await api.admin.get("/prefs?app=a")

    assert (fits.status_code, refused.status_code) == (201, 413)
    assert len(kept.json()["data"]) == 990


async def test_others_write_while_a_large_file_is_stored(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minidump takes as long as the disk needs; nobody waits for it."""
    real, written = reports._pieces, asyncio.Event()
    begun = asyncio.Event()

    async def pieces(*arguments: Any) -> AsyncIterator[bytes]:
        async for piece in real(*arguments):
            yield piece
            begun.set()
            await asyncio.wait_for(written.wait(), 30)

    monkeypatch.setattr(reports, "_pieces", pieces)
    dump = b"MDMP" * 1_000_000
    sending = asyncio.create_task(api.admin.post("/crashes", files={"upload_file_minidump": ("a.dmp", dump)}))
    await asyncio.wait_for(begun.wait(), 30)
    other = await api.admin.post("/prefs", json={"app": "a", "data": 1})
    unfinished = (await api.admin.get("/admin/crashes")).json()["total"]
    written.set()
    crash = (await sending).text

    assert (other.status_code, unfinished) == (201, 0)
    assert (await api.admin.get(f"/admin/crashes/{crash}/minidump")).content == dump


async def test_a_file_whose_report_is_not_kept_leaves_no_pieces(
    sqlite: str, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stored() -> int:
        with closing(sqlite3.connect(sqlite.removeprefix("sqlite:///"))) as database:
            return int(database.execute("SELECT count(*) FROM file_chunks").fetchone()[0])

    async def fail(*_arguments: Any) -> None:
        assert stored() == 3
        raise Unavailable("the database does not respond")

    files = {"upload_file_minidump": ("a.dmp", b"x" * 2_500_000)}
    async with running_api(manager_config(sqlite), clock) as api:
        monkeypatch.setattr(Crashes, "add", fail)
        refused = await api.admin.post("/crashes", files=files)
        assert (refused.status_code, stored()) == (503, 0)
        monkeypatch.undo()

        # A process that was killed cannot clean up after itself.
        with closing(sqlite3.connect(sqlite.removeprefix("sqlite:///"))) as database, database:
            database.execute("INSERT INTO file_chunks (file_id, number, data) VALUES ('lost', 0, x'00')")
        kept = await api.admin.post("/crashes", files=files)
        gone = await purge(api.app._manager.storage, api.config)

        assert (kept.status_code, gone["pieces of files"], stored()) == (200, 1, 3)
