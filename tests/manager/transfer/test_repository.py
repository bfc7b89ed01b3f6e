"""The whole database written out and read back, between databases of both kinds."""

import hashlib
import json
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid
from rostrum.manager.sign_in.repository import KnownAddresses
from rostrum.manager.topics import manager_storage
from rostrum.manager.transfer.repository import export_lines, import_lines
from rostrum.manager.users.repository import Users
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.tables import add_tables


def ignore(_done: int, _total: int) -> None: ...


async def exported(address: str) -> list[bytes]:
    storage = manager_storage(address)
    try:
        return [line async for line in export_lines(storage.database, storage.place, ignore)]
    finally:
        await storage.close()


async def imported(address: str, lines: list[bytes]) -> int:
    await add_tables(address)
    storage = manager_storage(address)
    try:
        await storage.open()
        return await import_lines(storage.database, lines, ignore)
    finally:
        await storage.close()


def kept(lines: list[bytes]) -> list[bytes]:
    """The rows, except the counters that invalidate caches after an import."""
    return [line for line in lines[1:-1] if not line.startswith(b'{"table":"revision"')]


def resealed(lines: list[bytes]) -> bytes:
    """The lines of an export that somebody changed, with counts and digest as they would have to be."""
    rows = [json.loads(line).get("table") for line in lines[1:-1]]
    head = json.loads(lines[0])
    head["rows"] = {name: rows.count(name) for name in head["rows"]}
    text = json.dumps(head).encode() + b"\n" + b"".join(lines[1:-1])
    return text + json.dumps({"end": hashlib.sha256(text).hexdigest()}).encode() + b"\n"


async def fill(client: httpx.AsyncClient) -> None:
    user = {"id": "ann", "password": "a long password", "groups": ["Desk"], "apps": ["clock"]}
    app = {"name": "clock", "type": "window", "details": {"url": "https://x"}}
    for path, body in (
        ("/admin/groups", {"name": "Desk", "expandsTo": ["Floor"]}),
        ("/admin/users", user),
        ("/admin/apps", {"definition": app, "accessList": ["Desk"]}),
        ("/admin/configs", {"file": "system.json", "contents": {"build": "\N{SNOWMAN}"}}),
    ):
        answer = await client.post(path, json=body)
        assert answer.status_code == 201, answer.text
    crash = await client.post("/crashes", data={"ver": "1"}, files={"upload_file_minidump": ("a", bytes(range(256)))})
    assert crash.status_code == 200, crash.text


async def told(api: Api) -> dict[str, Any]:
    """Everything an administrator can see, and what ann gets."""
    async with api.client(ADMIN) as admin, api.client(("ann", "a long password")) as ann:
        kinds = ("users", "groups", "apps", "configs", "crashes", "audit")
        seen = {kind: (await admin.get(f"/admin/{kind}")).json() for kind in kinds}
        return {**seen, "apps of ann": (await ann.get("/apps")).json(), "who": (await ann.get("/me")).json()}


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest) -> str:
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.mark.long
async def test_everything_is_there_after_an_export_and_an_import(
    tmp_path_factory: pytest.TempPathFactory, other: str, clock: SettableClock
) -> None:
    here = f"sqlite:///{tmp_path_factory.mktemp('here')}/here.db"
    async with running_api(manager_config(here), clock) as api:
        async with api.client(ADMIN) as client:
            await fill(client)
        before = await told(api)
    lines = await exported(here)
    rows = await imported(other, lines)
    assert rows == len(lines) - 2
    assert kept(await exported(other)) == kept(lines)
    async with running_api(manager_config(other), clock) as api:
        assert await told(api) == before


async def test_addresses_of_sign_ins_are_neither_exported_nor_kept_by_an_import(
    tmp_path_factory: pytest.TempPathFactory, sqlite: str, clock: SettableClock
) -> None:
    here = f"sqlite:///{tmp_path_factory.mktemp('here')}/here.db"
    async with running_api(manager_config(here), clock) as api:
        await fill(api.admin)
        assert (await api.client(("ann", "a long password")).get("/me")).status_code == 200
    lines = await exported(here)
    assert not [line for line in lines if b"known_addresses" in line]

    async with running_api(manager_config(sqlite), clock) as api:
        # The body of an import is everything: the users of before are gone, and so is where they signed in.
        headers = {"content-type": "application/x-ndjson"}
        answer = await api.admin.post("/admin/import", content=b"".join(lines), headers=headers)
        assert answer.status_code == 200, answer.text
        async with api.app._manager.storage.read() as work:
            assert await work.of(KnownAddresses).last_seen("admin", "127.0.0.9") is None


async def test_a_database_that_is_not_empty_is_left_alone(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite), clock):
        pass
    lines = await exported(sqlite)
    with pytest.raises(Invalid, match="not empty"):
        await imported(sqlite, lines)
    assert await exported(sqlite) == lines


def broken(lines: list[bytes]) -> dict[str, list[bytes]]:
    middle = len(lines) // 2
    return {
        "cut off": lines[:-1],
        "cut off in the middle": [*lines[:middle], lines[middle][:-5]],
        "a row is missing": [*lines[:middle], *lines[middle + 1 :]],
        "a row was changed": [*lines[:middle], lines[middle].replace(b"{", b"{ ", 1), *lines[middle + 1 :]],
        "two rows changed places": [*lines[:1], lines[2], lines[1], *lines[3:]],
        "another kind of file": [b"{}\n"],
        "nothing": [],
        "not JSON": [b"PK\x03\x04\n"],
        "another version": [lines[0].replace(b'"schema":"', b'"schema":"9'), *lines[1:]],
        "an unknown table": [lines[0], b'{"table":"robots","row":{}}\n', *lines[1:]],
        "other columns": [lines[0], b'{"table":"users","row":{"id":"x"}}\n', *lines[1:]],
    }


@pytest.mark.parametrize("damage", [*broken([b"x"] * 5)])
async def test_a_damaged_file_is_refused_and_nothing_is_kept(
    tmp_path_factory: pytest.TempPathFactory, sqlite: str, clock: SettableClock, damage: str
) -> None:
    here = f"sqlite:///{tmp_path_factory.mktemp('here')}/here.db"
    async with running_api(manager_config(here), clock):
        pass
    with pytest.raises(Invalid, match=r"file|export|row"):
        await imported(sqlite, broken(await exported(here))[damage])
    empty = manager_storage(sqlite)
    async with empty.read() as work:
        assert await work.of(Users).get("admin") is None
    await empty.close()
