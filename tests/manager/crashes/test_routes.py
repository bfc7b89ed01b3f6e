import gzip
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

FIELDS = {
    "ver": "37.2.1",
    "platform": "win32",
    "process_type": "renderer",
    "guid": "5e1286fc-da97-479e-918b-6bfb0c3d1c72",
    "_version": "10.1.2",
    "_productName": "Desktop",
    "prod": "Electron",
    "_companyName": "Example",
    "extra 1": "größer\nals gedacht",
    "extra 2": "",
}
DUMP = b"MDMP" + bytes(range(256)) * 10


def form(dump: bytes | None = DUMP, fields: dict[str, str] | None = None) -> dict[str, Any]:
    parts: list[tuple[str, Any]] = [(name, (None, value)) for name, value in (fields or FIELDS).items()]
    if dump is not None:
        parts.append(("upload_file_minidump", ("C:\\dumps\\..\\a b.dmp", dump, "text/html")))
    return {"files": parts}


async def send(client: httpx.AsyncClient, **options: Any) -> str:
    answer = await client.post("/crashes", **(options or form()))
    assert answer.status_code == 200, answer.text
    return answer.text


def stored_rows(api: Api) -> dict[str, int]:
    """Count the rows that an upload leaves."""
    names = ("crashes", "feedback", "files", "file_chunks")
    with closing(sqlite3.connect(api.config.store.removeprefix("sqlite:///"))) as database:
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


@pytest.fixture
async def open_api(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager that takes crash reports without credentials."""
    async with running_api(manager_config(sqlite, crashes={"anonymous": True}), clock) as running:
        yield running


@pytest.mark.rule("R-1-2", "E-4-4")
async def test_a_report_is_kept_with_every_field_and_its_dump(api: Api) -> None:
    user = await api.add_user("ann")

    answer = await user.post("/crashes", **form())

    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain")
    crash = (await api.admin.get(f"/admin/crashes/{answer.text}")).json()
    assert crash == {
        "id": answer.text,
        "user": "ann",
        "product": "Desktop",
        "version": "10.1.2",
        "platform": "win32",
        "processType": "renderer",
        "fields": FIELDS,
        "minidump": {"name": "a b.dmp", "mediaType": "application/octet-stream", "size": len(DUMP)},
        "received": "2026-01-01T00:00:00Z",
        "reviewed": False,
        "reviewedBy": None,
        "comment": "",
        "revision": crash["revision"],
        "app": "",
        "machine": FIELDS["guid"],
        "group": crash["group"],
        "signature": "renderer: unknown reason",
        "dump": {**crash["dump"], "problem": "the file has an unknown version", "reason": ""},
    }


async def test_the_dump_comes_back_byte_for_byte_and_never_as_a_page(api: Api) -> None:
    large = random.Random(1).randbytes(3 * 1024 * 1024 + 17)
    for dump in (DUMP, large, b"\0" * 2_500_000, b""):
        crash = await send(api.admin, **form(dump))

        answer = await api.admin.get(f"/admin/crashes/{crash}/minidump")

        assert answer.content == dump
        assert answer.headers["Content-Length"] == str(len(dump))
        assert answer.headers["Content-Type"] == "application/octet-stream"
        assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''a%20b.dmp"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_compressed_report_is_kept_like_a_plain_one(api: Api) -> None:
    dump = b"\0" * 3_000_000 + DUMP
    plain = httpx.Request("POST", "http://x", **form(dump))
    headers = {"Content-Type": plain.headers["Content-Type"], "Content-Encoding": "gzip"}

    crash = await send(api.admin, content=gzip.compress(plain.read()), headers=headers)

    assert (await api.admin.get(f"/admin/crashes/{crash}/minidump")).content == dump
    assert (await api.admin.get(f"/admin/crashes/{crash}")).json()["fields"] == FIELDS
    cut = await api.admin.post("/crashes", content=gzip.compress(plain.read())[:200], headers=headers)
    assert cut.status_code == 400
    other = await api.admin.post("/crashes", content=b"x", headers={**headers, "Content-Encoding": "br"})
    assert other.status_code == 415


async def test_a_report_needs_no_dump_and_a_dump_no_fields(api: Api) -> None:
    without_dump = await send(api.admin, **form(None))
    assert (await api.admin.get(f"/admin/crashes/{without_dump}")).json()["minidump"] is None
    assert (await api.admin.get(f"/admin/crashes/{without_dump}/minidump")).status_code == 404

    without_fields = await send(api.admin, files={"upload_file_minidump": ("x.dmp", DUMP)})
    crash = (await api.admin.get(f"/admin/crashes/{without_fields}")).json()
    assert (crash["product"], crash["version"], crash["fields"]) == ("", "", {})


async def test_product_and_version_fall_back_to_those_of_the_runtime(api: Api) -> None:
    crash = await send(api.admin, **form(None, {"prod": "Electron", "ver": "37", "_productName": ""}))

    kept = (await api.admin.get(f"/admin/crashes/{crash}")).json()

    assert (kept["product"], kept["version"]) == ("Electron", "37")


async def test_a_report_without_credentials_is_refused_unless_the_setting_allows_it(api: Api) -> None:
    answer = await api.client().post("/crashes", **form())

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Basic")
    assert (await api.admin.get("/admin/crashes")).json()["total"] == 0


async def test_a_report_without_credentials_has_no_user(open_api: Api) -> None:
    crash = await send(open_api.client(), **form())

    assert (await open_api.admin.get(f"/admin/crashes/{crash}")).json()["user"] is None
    known = await send(await open_api.add_user("ann"), **form())
    assert (await open_api.admin.get(f"/admin/crashes/{known}")).json()["user"] == "ann"
    wrong = await open_api.client(("ann", "wrong")).post("/crashes", **form())
    assert wrong.status_code == 401


async def test_reports_without_credentials_are_limited_in_number(open_api: Api, clock: SettableClock) -> None:
    small = form(None, {"prod": "x"})
    statuses = [(await open_api.client().post("/crashes", **small)).status_code for _ in range(31)]
    assert statuses == [200] * 30 + [429]

    refused = await open_api.client().post("/crashes", **small)
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert (await open_api.admin.post("/crashes", **small)).status_code == 200
    clock.advance(60)
    assert (await open_api.client().post("/crashes", **small)).status_code == 200


@pytest.mark.long
async def test_a_report_that_is_too_large_leaves_nothing(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, maxCrash=200_000, maxBody=100_000)
    async with running_api(config, clock) as api:
        packed = gzip.compress(httpx.Request("POST", "http://x", **form(b"\0" * 10_000_000)).read())
        kind = httpx.Request("POST", "http://x", **form()).headers["Content-Type"]

        plain = await api.admin.post("/crashes", **form(b"x" * 200_000))
        bomb = await api.admin.post(
            "/crashes", content=packed, headers={"Content-Encoding": "gzip", "Content-Type": kind}
        )

        assert (plain.status_code, plain.json()["error"]["code"]) == (413, 413)
        assert bomb.status_code == 413
        assert set(stored_rows(api).values()) == {0}
        assert len(await send(api.admin, **form(b"x" * 150_000))) > 0


async def test_forms_that_make_no_sense_are_refused_and_leave_nothing(api: Api) -> None:
    part = "multipart/form-data; boundary=b"
    dump = ("x.dmp", DUMP)
    head = b'--b\r\nContent-Disposition: form-data; name="a"\r\n'
    wrong: list[dict[str, Any]] = [
        {"content": b"--b--\r\n", "headers": {"Content-Type": part}},
        {"files": [("upload_file_minidump", dump), ("upload_file_minidump", dump)]},
        {"files": [("upload_file_minidump", dump), ("another", dump)]},
        {"files": [("another", dump)]},
        {"json": {"prod": "x"}},
        {"data": {"prod": "x"}},
        {
            "content": head + b"Content-Type: text/plain; charset=none\r\n\r\nx\r\n--b--\r\n",
            "headers": {"Content-Type": part},
        },
        {"content": head + b"\r\n\xff\xfe\r\n--b--\r\n", "headers": {"Content-Type": part}},
        {"content": b"not a form", "headers": {"Content-Type": part}},
        {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}},
        {"files": [(f"field {number}", (None, "x")) for number in range(201)]},
        {"files": [("x" * 257, (None, "x"))]},
        {"files": [("x", (None, "x" * 70_000))]},
    ]

    for sent in wrong:
        answer = await api.admin.post("/crashes", **sent)
        # Any page can send a form that is encoded as an address, so it is refused before it is read.
        expected = 415 if "data" in sent else 400
        assert answer.status_code == expected, (str(sent)[:100], answer.text)
        assert answer.json()["error"]["code"] == expected
    assert set(stored_rows(api).values()) == {0}


async def test_a_report_is_reviewed_and_commented(api: Api) -> None:
    reviewer = await api.add_user("rita", "PLATFORM_MANAGER:CRASHES:WRITE")
    address = f"/admin/crashes/{await send(api.admin)}"
    read = await api.admin.get(address)

    reviewed = await reviewer.patch(address, json={"reviewed": True}, headers={"If-Match": read.headers["ETag"]})
    assert reviewed.json() == {
        **read.json(),
        "reviewed": True,
        "reviewedBy": "rita",
        "revision": reviewed.json()["revision"],
    }
    commented = (await api.admin.patch(address, json={"comment": "known\nbug"})).json()
    assert (commented["reviewed"], commented["reviewedBy"], commented["comment"]) == (True, "rita", "known\nbug")
    again = (await api.admin.patch(address, json={"reviewed": True})).json()
    assert again["reviewedBy"] == "rita"
    cleared = (await api.admin.patch(address, json={"reviewed": False})).json()
    assert (cleared["reviewed"], cleared["reviewedBy"], cleared["comment"]) == (False, None, "known\nbug")
    stale = await api.admin.patch(address, json={"reviewed": True}, headers={"If-Match": read.headers["ETag"]})
    assert stale.status_code == 412
    for wrong in ({"reviewed": "perhaps"}, {"comment": "a\u0000"}, {"product": "x"}):
        assert (await api.admin.patch(address, json=wrong)).status_code == 400


async def test_deleting_a_report_deletes_its_dump(api: Api) -> None:
    kept = await send(api.admin)
    crash = await send(api.admin, **form(b"x" * 2_500_000))
    before = stored_rows(api)
    assert (before["crashes"], before["files"], before["file_chunks"]) == (2, 2, 4)

    assert (await api.admin.delete(f"/admin/crashes/{crash}")).status_code == 204

    after = stored_rows(api)
    assert (after["crashes"], after["files"], after["file_chunks"]) == (1, 1, 1)
    assert (await api.admin.get(f"/admin/crashes/{kept}/minidump")).content == DUMP
    for method, suffix in (("GET", ""), ("GET", "/minidump"), ("PATCH", ""), ("DELETE", "")):
        body: dict[str, Any] | None = {} if method == "PATCH" else None
        assert (await api.admin.request(method, f"/admin/crashes/{crash}{suffix}", json=body)).status_code == 404


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:CRASHES:READ")
    address = f"/admin/crashes/{await send(nobody)}"

    for suffix in ("", "/minidump"):
        assert (await nobody.get(address + suffix)).status_code == 403
        assert (await reader.get(address + suffix)).status_code == 200
    assert (await nobody.get("/admin/crashes")).status_code == 403
    assert (await reader.patch(address, json={"reviewed": True})).status_code == 403
    assert (await reader.delete(address)).status_code == 403


async def test_reports_are_found_by_what_crashed(api: Api, clock: SettableClock) -> None:
    ann = await api.add_user("ann")
    first = await send(ann)
    clock.advance(1)
    second = await send(api.admin, **form(None, {"prod": "Browser", "ver": "9", "platform": "linux"}))
    await api.admin.patch(f"/admin/crashes/{second}", json={"reviewed": True})

    async def found(**filters: str) -> list[str]:
        return [item["id"] for item in (await api.admin.get("/admin/crashes", params=filters)).json()["items"]]

    assert await found(sort="-received") == [second, first]
    for filters in ({"user": "ann"}, {"product": "desk*"}, {"version": "10.1.2"}, {"platform": "win32"}):
        assert await found(**filters) == [first]
    assert await found(processType="renderer", reviewed="false") == [first]
    assert await found(reviewedBy="admin") == [second]
    assert await found(q="brows") == [second]
