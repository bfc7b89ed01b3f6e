"""The whole server over HTTP: taken away by an administrator, taken over by a new server."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.manager.transfer.test_repository import fill, resealed

KINDS = ("users", "groups", "apps", "configs", "crashes")
OTHER_ADMIN = ("root", "another password")


@pytest.fixture
async def here(tmp_path: Path, clock: SettableClock) -> AsyncIterator[Api]:
    """A server with something of everything, its files in a folder."""
    (tmp_path / "files").mkdir()
    config = manager_config(f"sqlite:///{tmp_path}/here.db", files={"folder": str(tmp_path / "files")})
    async with running_api(config, clock) as api:
        await fill(api.admin)
        yield api


@pytest.fixture
async def there(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A new server, on each kind of database in turn, with another administrator."""
    config = manager_config(store, auth_basic={"predefinedUsers": [":".join(OTHER_ADMIN)]})
    async with running_api(config, clock) as api:
        yield api


async def lists(api: Api, auth: tuple[str, str]) -> dict[str, list[Any]]:
    client = api.client(auth)
    return {kind: (await client.get(f"/admin/{kind}?limit=1000")).json()["items"] for kind in KINDS}


@pytest.mark.long
async def test_a_new_server_imports_all_data_and_continues_from_it(here: Api, there: Api) -> None:
    out = await here.admin.get("/admin/export", headers={"X-Request-Id": "the-export"})
    assert out.status_code == 200
    assert int(out.headers["content-length"]) == len(out.content)
    assert "attachment" in out.headers["content-disposition"]
    before = await lists(here, ADMIN)
    new = there.client(OTHER_ADMIN)
    assert (await new.get("/apps")).json() == {"applications": []}

    tried = await new.post("/admin/import?dryRun=true", content=out.content)
    assert tried.status_code == 200, tried.text
    assert tried.json()["dryRun"] is True
    assert tried.json()["rows"]["users"] == 2
    assert [user["id"] for user in (await lists(there, OTHER_ADMIN))["users"]] == ["root"]

    done = await new.post("/admin/import", content=out.content, headers={"X-Request-Id": "the-import"})
    assert done.json() == {**tried.json(), "dryRun": False}
    assert done.json()["keptUsers"] == ["root"]
    # The very next request sees it, remembered answers or not, and those who were here are still let in.
    after = await lists(there, ADMIN)
    for kind in ("apps", "configs", "crashes"):
        assert after[kind] == before[kind]
    assert [user["id"] for user in after["users"]] == ["admin", "ann", "root"]
    assert [user["groups"] for user in (await lists(there, OTHER_ADMIN))["users"] if user["id"] == "root"] == [
        ["PLATFORM_SERVER_ADMIN"]
    ]
    apps = (await there.client(("ann", "a long password")).get("/apps")).json()["applications"]
    assert [app["name"] for app in apps] == ["clock"]
    crash = before["crashes"][0]["id"]
    assert (await new.get(f"/admin/crashes/{crash}/minidump")).content == bytes(range(256))

    entries = (await new.get("/admin/audit?limit=2")).json()["items"]
    assert [(entry["operation"], entry["actor"], entry["origin"]["request"]) for entry in entries] == [
        ("importServer", "root", "the-import"),
        ("exportServer", "admin", "the-export"),
    ]
    assert (await new.get("/admin/audit/verify")).json()["ok"]
    made = await new.post("/admin/groups", json={"name": "later"})
    assert made.status_code == 201
    assert (await new.get("/admin/audit/verify")).json()["ok"]


async def test_anyone_who_writes_meanwhile_waits_and_is_served(here: Api, there: Api) -> None:
    file = (await here.admin.get("/admin/export")).content
    new = there.client(OTHER_ADMIN)
    imported, *made = await asyncio.gather(
        new.post("/admin/import", content=file),
        *(new.post("/admin/groups", json={"name": f"group {number}"}) for number in range(4)),
    )

    # Anyone who came first: a group that was there before the import is content of the server's own.
    assert imported.status_code in (200, 409)
    assert [answer.status_code for answer in made] == [201] * 4
    assert (await new.get("/admin/audit/verify")).json()["ok"]


async def test_a_server_that_is_in_use_takes_nothing(here: Api) -> None:
    file = (await here.admin.get("/admin/export")).content
    before = await lists(here, ADMIN)
    for query in ("", "?dryRun=true"):
        refused = await here.admin.post(f"/admin/import{query}", content=file)
        assert refused.status_code == 409
        assert "already has content" in refused.json()["error"]["message"]
    assert await lists(here, ADMIN) == before


@pytest.mark.long
async def test_a_bad_file_is_refused_and_leaves_nothing(here: Api, there: Api) -> None:
    good = (await here.admin.get("/admin/export")).content.splitlines(keepends=True)
    new = there.client(OTHER_ADMIN)
    entries = (await new.get("/admin/audit")).json()["total"]
    users = next(line for line in good if b'"table":"users"' in line)

    def with_user(**members: Any) -> bytes:
        row = {"table": "users", "row": {**json.loads(users)["row"], **members}}
        return resealed([json.dumps(row).encode() + b"\n" if line == users else line for line in good])

    bad: dict[str, bytes] = {
        "nothing": b"",
        "not JSON": b"PK\x03\x04",
        "no object": b"[]\n",
        "cut off": b"".join(good[:-1]),
        "changed": b"".join(good).replace(b"https://x", b"https://y"),
        "a number as name": with_user(id=7),
        "no name": with_user(id=None),
        "a text as number": with_user(revision="1"),
        "a number that no database holds": with_user(revision=1 << 70),
        "a time without a zone": with_user(created="2026-01-01T00:00:00"),
        "a character that no database keeps": with_user(email="a\0b"),
        "one user twice": resealed([*good[:-1], users, good[-1]]),
        "no counts": b'{"rostrum":1,"schema":"%s"}\n' % json.loads(good[0])["schema"].encode(),
        "counts that are no numbers": good[0].replace(b'"users":2', b'"users":"x"'),
        "a row that is no object": resealed([good[0], b'{"table":"users","row":[]}\n', *good[1:]]),
        "a definition that is no JSON": resealed(
            [line.replace(rb"{\"name\":\"clock\"", rb"{\"name\":clock") for line in good]
        ),
    }
    for name, content in bad.items():
        answer = await new.post("/admin/import", content=content)
        assert answer.status_code == 400, (name, answer.text)
        assert answer.json()["error"]["message"], name
    assert [user["id"] for user in (await lists(there, OTHER_ADMIN))["users"]] == ["root"]
    assert (await new.get("/admin/audit")).json()["total"] == entries
    # None of the refusals left anything behind that is in the way of a good one.
    assert (await new.post("/admin/import", content=b"".join(good))).status_code == 200


@pytest.mark.long
async def test_what_is_larger_than_the_setting_is_refused(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, maxImport=2000, maxBody=1024), clock) as api:
        assert (await api.admin.post("/admin/import", content=b"x" * 2001)).status_code == 413
        assert (await api.admin.post("/admin/import", content=b"x" * 1999)).status_code == 400
