"""What the API answers when the database says, in its own words, that its disk is full."""

from contextlib import AsyncExitStack

import asyncpg
import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.app import create_app
from tests.conftest import ADMIN, Api, manager_config, running_api

FULL = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file "base/1/2"' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION full_disk();
"""


async def fill(api: Api, table: str) -> None:
    """Leave no room for what is written to a table from now on."""
    database = api.app._manager.storage._database
    if database.is_sqlite:
        # The file may not become larger than it is; set for each connection of the pool.
        async with AsyncExitStack() as opened:
            for _ in range(4):
                connection = await opened.enter_async_context(database.read())
                await connection.exec_driver_sql("PRAGMA max_page_count = 1")
    else:
        connection = await asyncpg.connect(api.config.store)
        await connection.execute(FULL.format(table=table))
        await connection.close()


async def test_a_full_disk_is_reported_and_reads_go_on(store: str, clock: SettableClock) -> None:
    async with running_api(manager_config(store), clock) as api:
        await fill(api, "preferences")
        body = {"user": "admin", "app": "app", "data": {"text": "x" * 1_000_000}}

        refused = await api.admin.post("/admin/prefs", json=body)

        assert refused.status_code == 507
        assert refused.json()["error"] == {
            "code": 507,
            "message": "the disk of the database is full; nothing was changed",
        }
        assert (await api.admin.get("/admin/prefs")).json()["total"] == 0
        assert (await api.admin.get("/health/ready")).status_code == 200
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_a_sign_in_whose_hash_should_be_renewed_needs_no_room(postgresql: str, clock: SettableClock) -> None:
    config = manager_config(postgresql)
    async with running_api(config, clock) as api:
        await fill(api, "users")
    app = create_app(config.model_copy(update={"predefined_users": ()}), clock, Passwords(memory_kib=8, rounds=2))
    async with app.running():
        assert (await Api(app, config).client(ADMIN).get("/me")).status_code == 200


@pytest.mark.long
def test_every_write_may_answer_that_there_is_no_room(sqlite: str) -> None:
    paths = create_app(manager_config(sqlite)).openapi()["paths"]
    writes = [operation for item in paths.values() for method, operation in item.items() if method != "get"]

    assert writes
    assert all("507" in operation["responses"] for operation in writes)
