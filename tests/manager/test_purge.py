import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.database.engine import Task
from rostrum.manager.purge import purge, purge_daily
from rostrum.manager.topics import manager_storage
from tests.conftest import Api, manager_config, running_api

DAY = 24 * 60 * 60
KINDS = ("sessions", "commands", "crashes", "feedback", "machines")
KEEP_ALL = {"sessions": -1, "commands": -1, "crashes": -1, "feedback": -1}


async def fill(api: Api, mark: str) -> None:
    """Leave one of everything that grows."""
    user = api.admin
    session = (await user.post("/sessions", json={"machine": {"id": mark}})).json()["id"]
    await user.post("/admin/commands", json={"session": session, "command": "Restart"})
    await user.post("/crashes", files=[("prod", (None, mark)), ("upload_file_minidump", ("x.dmp", mark.encode()))])
    await user.post("/feedback", files=[("description", (None, mark)), ("attachment", ("x.zip", mark.encode()))])
    await user.delete(f"/sessions/{session}")


async def totals(api: Api) -> dict[str, int]:
    return {kind: (await api.admin.get(f"/admin/{kind}")).json()["total"] for kind in KINDS}


async def forget(api: Api, clock: SettableClock, **days: int) -> dict[str, int]:
    """Purge with these settings, and show what is left."""
    storage = manager_storage(api.config.store, clock)
    try:
        await purge(storage, manager_config(api.config.store, purge={**KEEP_ALL, **days}))
    finally:
        await storage.close()
    return await totals(api)


@pytest.mark.parametrize("kind", ["sessions", "commands", "crashes", "feedback"])
async def test_each_setting_forgets_only_its_own_kind(api: Api, clock: SettableClock, kind: str) -> None:
    await fill(api, "old")
    clock.advance(5 * DAY)
    await fill(api, "new")
    whole = dict.fromkeys(KINDS, 2)

    assert await forget(api, clock, **{kind: 5}) == whole
    clock.advance(1)
    # A machine goes with the last of its sessions.
    gone = {kind, "machines"} if kind == "sessions" else {kind}
    assert await forget(api, clock, **{kind: 5}) == {name: 1 if name in gone else 2 for name in KINDS}


async def test_minus_one_keeps_for_ever(api: Api, clock: SettableClock) -> None:
    await fill(api, "old")
    clock.advance(20 * 365 * DAY)

    assert await forget(api, clock) == dict.fromkeys(KINDS, 1)


async def test_what_remains_is_complete(api: Api, clock: SettableClock) -> None:
    await fill(api, "old")
    clock.advance(10 * DAY)
    await fill(api, "new")

    left = await forget(api, clock, sessions=3, commands=3, crashes=3, feedback=3)

    assert left == dict.fromkeys(KINDS, 1)
    items: dict[str, Any] = {kind: (await api.admin.get(f"/admin/{kind}")).json()["items"][0] for kind in KINDS}
    assert items["machines"]["id"] == items["sessions"]["machine"] == "new"
    assert items["commands"]["session"] == items["sessions"]["id"]
    assert items["crashes"]["product"] == items["feedback"]["description"] == "new"
    for kind, file in (("crashes", "minidump"), ("feedback", "attachment")):
        assert (await api.admin.get(f"/admin/{kind}/{items[kind]['id']}/{file}")).content == b"new"
    # People and what they made are never forgotten by age.
    assert (await api.admin.get("/admin/users")).json()["total"] == 1


async def test_the_files_of_forgotten_reports_are_gone_too(api: Api, clock: SettableClock) -> None:
    await fill(api, "old")
    crash = (await api.admin.get("/admin/crashes")).json()["items"][0]["id"]
    clock.advance(10 * DAY)

    storage = manager_storage(api.config.store, clock)
    gone = await purge(storage, manager_config(api.config.store, purge={**KEEP_ALL, "crashes": 1, "feedback": 1}))
    await storage.close()
    with closing(sqlite3.connect(api.config.store.removeprefix("sqlite:///"))) as database:
        (files,) = database.execute("SELECT count(*) FROM file_chunks").fetchone()

    assert (gone["crashes"], gone["feedback"], files) == (1, 1, 0)
    assert (await api.admin.get(f"/admin/crashes/{crash}")).status_code == 404


@pytest.mark.parametrize("at_startup", [True, False])
async def test_starting_forgets_what_is_too_old_unless_disabled(
    tmp_path: Path, clock: SettableClock, at_startup: bool
) -> None:
    store = f"sqlite:///{tmp_path}/rostrum.db"
    async with running_api(manager_config(store), clock) as api:
        await fill(api, "old")
    clock.advance(91 * DAY)

    async with running_api(manager_config(store, purge={"atStartup": at_startup}), clock) as api:
        # The first request lets the clean-up begin; writers take turns, so the next one comes after it.
        await api.admin.get("/me")
        async with api.app._manager.storage.note():
            pass

        assert set((await totals(api)).values()) == ({0} if at_startup else {1})


@pytest.mark.long
async def test_it_is_done_again_after_each_day(
    api: Api, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "rostrum.manager.purge")
    asked: asyncio.Queue[float] = asyncio.Queue()
    day_is_over: asyncio.Queue[None] = asyncio.Queue()

    async def pause(seconds: float) -> None:
        asked.put_nowait(seconds)
        await day_is_over.get()

    storage = manager_storage(api.config.store, clock)
    config = manager_config(api.config.store, purge={**KEEP_ALL, "crashes": 5, "atStartup": False})
    purging = asyncio.create_task(purge_daily(storage, config, pause))
    try:
        for _ in range(3):
            assert await asyncio.wait_for(asked.get(), 60) == DAY
            assert (await totals(api))["crashes"] == 0
            await fill(api, "old")
            clock.advance(6 * DAY)
            assert (await totals(api))["crashes"] == 1
            day_is_over.put_nowait(None)
    finally:
        purging.cancel()
        with suppress(asyncio.CancelledError):
            await purging
        await storage.close()
    # The last entry is logged each day, so that a truncated audit log can be detected.
    heads = [line.rpartition(" ")[2] for line in caplog.messages if line.startswith("the audit ends with")]
    assert len(set(heads)) >= 2
    for head in heads:
        assert (await api.admin.get("/admin/audit/verify", params={"head": head})).json()["ok"]


@pytest.mark.long
async def test_only_one_node_purges_at_a_time(postgresql: str) -> None:
    one, other = manager_storage(postgresql), manager_storage(postgresql)
    await one.open()
    config = manager_config(postgresql)
    async with one.note() as work:
        assert await work.is_only_one(Task.PURGE)
        assert await purge(other, config) == {}
    assert "crashes" in await purge(other, config)
    await one.close()
    await other.close()


async def test_a_clean_up_that_forgets_something_leaves_one_entry_and_one_that_does_not_leaves_none(
    api: Api, clock: SettableClock
) -> None:
    await fill(api, "old")
    body = {"definition": {"name": "a", "type": "window", "details": {"url": "https://example.com"}}}
    await api.admin.post("/admin/apps", json=body)
    await api.admin.patch("/admin/apps/a", json={"public": True})
    clock.advance(10 * DAY)

    async def entries() -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = (await api.admin.get("/admin/audit?operation=purge")).json()["items"]
        return items

    for _ in range(2):
        await forget(api, clock, crashes=1, history=1)
        (entry,) = await entries()
    assert entry["actor"] == "(system)"
    gone = {change["kind"]: change["diff"][0]["after"] for change in entry["changes"]}
    assert gone == {"crash": 1, "crashGroup": 1, "history": 1}
    assert (await api.admin.get("/admin/apps/a/revisions")).json()["total"] == 1
    await forget(api, clock, auditLogs=1)
    assert (await api.admin.get("/admin/audit/verify")).json() == {
        **(await api.admin.get("/admin/audit/verify")).json(),
        "ok": True,
        "entries": 2,
    }
