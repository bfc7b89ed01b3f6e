"""A page of 50 users, filtered and sorted, out of a thousand and out of a hundred thousand."""

import json
import random
import sqlite3
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import load
from bench.firm import firm, served
from bench.polling import basic
from bench.processes import SERVER_CORE, on_core

FEW, MANY = 1_000, 100_000
ROUNDS = 3
GOAL = 2
QUERIES = {
    "by name": "",
    "newest first": "sort=-created",
    "of a large group, last changed first": "group=Trading&sort=-modified",
    "of a small group, last changed first": "group=Pilots&sort=-modified",
    "not disabled, by e-mail": "disabled=false&sort=email",
    "names that begin alike, newest first": "id=user0001*&sort=-created",
}


def report() -> str:
    with (
        firm(users=0, apps=5, useSessionCookie=False) as small,
        firm(users=0, apps=5, useSessionCookie=False) as large,
    ):
        _fill(small, FEW)
        _fill(large, MANY)
        with served(small, on_core(SERVER_CORE)) as few, served(large, on_core(SERVER_CORE)) as many:
            rows = []
            for name, query in QUERIES.items():
                path = f"/admin/users?limit=50&{query}"
                pairs = [
                    tuple(
                        load.drive([each.pid], load.request(each.address, path, basic()), connections=1, seconds=2).each
                        for each in (few, many)
                    )
                    for _ in range(ROUNDS)
                ]
                costs = [statistics.median(values) * 1e3 for values in zip(*pairs, strict=True)]
                times = statistics.median(pair[1] / pair[0] for pair in pairs)
                rows.append(f"| {name} | {costs[0]:.1f} ms | {costs[1]:.1f} ms | **{times:.1f} ×** | ≤ {GOAL} × |")
    return (
        "## Pages of users\n\n"
        f"50 users with their groups and the length of the whole list, out of {FEW:,} and out of {MANY:,}, SQLite; "
        "processor time of the server per page.\n\n"
        f"| page | {FEW:,} | {MANY:,} | more by | goal |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _fill(config: Path, count: int) -> None:
    """Write the users directly: through the server they would take an hour."""
    path = json.loads(config.read_text())["store"].removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        connection.executemany(
            "INSERT INTO users (id, email, password_hash, disabled, epoch, revision, created, created_by, modified,"
            " modified_by) VALUES (?, ?, NULL, ?, 1, 1, ?, 'admin', ?, 'admin')",
            _users(count),
        )
        connection.execute(
            "INSERT INTO user_groups SELECT id, 'Trading' FROM users WHERE id LIKE 'user%' AND substr(id, -1) IN"
            " ('0', '1', '2', '3', '4')"
        )
        connection.execute("INSERT INTO user_groups SELECT id, 'Pilots' FROM users WHERE id LIKE 'user%' LIMIT 60")
    connection.close()


def _users(count: int) -> Iterator[tuple[Any, ...]]:
    luck = random.Random(7)
    for number in range(count):
        moments = [1_700_000_000_000 + luck.randrange(50_000_000_000) for _ in range(2)]
        yield f"user{number:06}", f"{luck.randrange(10**9)}@example.com", number % 20 == 0, *sorted(moments)
