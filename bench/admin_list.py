"""A page of 50 users, searched, filtered and sorted, out of a thousand and out of a hundred thousand."""

import asyncio
import json
import random
import statistics
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import insert, text

from bench import load
from bench.effort import costs
from bench.figures import Sample
from bench.firm import Server, firm, served
from bench.polling import basic
from bench.postgresql import postgresql
from bench.processes import SERVER_CORE, on_core
from rostrum.manager.database import tables
from rostrum.manager.database.engine import Database

FEW, MANY = 1_000, 100_000
ROUNDS, SECONDS = 2, 0.25
GOAL = 2
QUERIES = {
    "by name": "",
    "newest first": "sort=-created",
    "of a large group, last changed first": "group=Trading&sort=-modified",
    "of a small group, last changed first": "group=Pilots&sort=-modified",
    "not disabled, by e-mail": "disabled=false&sort=email",
    "IDs with the same beginning, newest first": "id=user0001*&sort=-created",
    "search for a word that few users match, newest first": "q=R000042&sort=-created",
    "search for a word that all users match, newest first": "q=example&sort=-created",
    "search for two characters, by e-mail": "q=42&sort=email",
    "part of an e-mail address, newest first": "email=*777*&sort=-created",
    "of a large group, not disabled, last changed first": "group=Trading&disabled=false&sort=-modified",
    "of a large group, disabled, last changed first": "group=Trading&disabled=true&sort=-modified",
    "of a large group, search for a word that all users match": "group=Trading&q=example&sort=-modified",
    "of a small group, search for a word that all users match": "group=Pilots&q=example&sort=-modified",
    "of a large group, not disabled, search for a word that some users match": "group=Trading&disabled=false&q=777",
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BATCH = 5000


def report() -> str:
    """Measure both databases."""
    parts = [_part("SQLite", *_measured("", "", lambda: ()))]
    with postgresql() as database:
        asyncio.run(_make(database.address, "few", "many"))
        few, many = (database.address.replace("/postgres?", f"/{name}?") for name in ("few", "many"))
        parts.append(_part("PostgreSQL", *_measured(few, many, database.pids)))
    return (
        "## Pages of users\n\n"
        f"One page of 50 users with their groups, and the number of all matching users, from databases with {FEW:,} "
        f"and {MANY:,} users. The table shows the processor time for each page, of the server and its database.\n\n"
        + "\n".join(parts)
    )


def sample() -> Sample:
    """Measure the smaller number of users on SQLite."""
    found: Sample = {}
    with firm(users=0, apps=5, useSessionCookie=False) as config:
        asyncio.run(_fill(json.loads(config.read_text())["store"], FEW))
        with served(config, on_core(SERVER_CORE)) as server:
            for name, query in QUERIES.items():
                driven = [_driven(server, query, tuple) for _ in range(ROUNDS)]
                found |= costs(name, [each.effort.divided(each.requests) for each in driven])
    return found


def _part(database: str, rows: Sequence[str], seconds: float) -> str:
    return (
        f"{database}, filled with {MANY:,} users in {seconds:.0f} s:\n\n"
        f"| page | {FEW:,} users | {MANY:,} users | ratio | goal |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _measured(
    few_store: str, many_store: str, database_pids: Callable[[], tuple[int, ...]]
) -> tuple[Sequence[str], float]:
    with ExitStack() as stack:
        servers = []
        for store, count in ((few_store, FEW), (many_store, MANY)):
            config = stack.enter_context(firm(users=0, apps=5, store=store, useSessionCookie=False))
            seconds = asyncio.run(_fill(json.loads(config.read_text())["store"], count))
            servers.append(stack.enter_context(served(config, on_core(SERVER_CORE))))
        return [_row(name, query, servers, database_pids) for name, query in QUERIES.items()], seconds


def _row(name: str, query: str, servers: Sequence[Server], database_pids: Callable[[], tuple[int, ...]]) -> str:
    pairs = [[_driven(server, query, database_pids).each for server in servers] for _ in range(ROUNDS)]
    costs = [statistics.median(values) * 1e3 for values in zip(*pairs, strict=True)]
    return f"| {name} | {costs[0]:.1f} ms | {costs[1]:.1f} ms | **{costs[1] / costs[0]:.1f} ×** | ≤ {GOAL} × |"


def _driven(server: Server, query: str, database_pids: Callable[[], tuple[int, ...]]) -> load.Cost:
    path = f"/admin/users?limit=50&{query}"
    # So that the process of the database that answers this server is there to be measured.
    urllib.request.urlopen(urllib.request.Request(f"{server.address}{path}", headers=basic())).close()
    target = load.request(server.address, path, basic())
    return load.drive([server.pid, *database_pids()], target, connections=1, seconds=SECONDS)


async def _make(address: str, *names: str) -> None:
    database = Database(address)
    async with database.alone() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        # The processor time of processes that come and go is not seen.
        for setting in ("max_parallel_workers_per_gather = 0", "autovacuum = off"):
            await connection.execute(text(f"ALTER SYSTEM SET {setting}"))
        await connection.execute(text("SELECT pg_reload_conf()"))
        for name in names:
            await connection.execute(text(f"CREATE DATABASE {name}"))
    await database.close()


async def _fill(store: str, count: int) -> float:
    """Write the users directly and return the duration; through the server it would take an hour."""
    database, began = Database(store), asyncio.get_running_loop().time()
    async with database.write() as connection:
        users = _users(count)
        while batch := list(islice(users, _BATCH)):
            await connection.execute(insert(tables.users), batch)
        large = [user for user in range(count) if user % 10 < 5]
        groups = [{"user_id": f"user{user:06}", "group_name": "Trading"} for user in large]
        groups += [{"user_id": f"user{user:06}", "group_name": "Pilots"} for user in range(60)]
        await connection.execute(insert(tables.user_groups), groups)
    seconds = asyncio.get_running_loop().time() - began
    if not database.is_sqlite:
        async with database.alone() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text("VACUUM ANALYZE"))
    await database.close()
    return seconds


def _users(count: int) -> Iterator[dict[str, Any]]:
    luck = random.Random(7)
    start = datetime(2024, 1, 1, tzinfo=UTC)
    for number in range(count):
        created, modified = sorted(start + timedelta(milliseconds=luck.randrange(50_000_000_000)) for _ in range(2))
        yield {
            "id": f"user{number:06}",
            "email": f"{''.join(luck.choices(LETTERS, k=6))}.{luck.randrange(10**5)}@example.com",
            "password_hash": None,
            "disabled": number % 20 == 0,
            "epoch": 1,
            "revision": 1,
            "created": created,
            "created_by": "admin",
            "modified": modified,
            "modified_by": "admin",
        }
