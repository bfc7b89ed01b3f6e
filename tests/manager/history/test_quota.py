"""What one user can add to the history: rewriting and deleting the own documents again and again fills no database."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

KB = 1000
QUOTA = 500 * KB
DOCUMENT = 100 * KB
ROW = 300


@pytest.fixture
async def limited(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    async with running_api(manager_config(store, quotas={"historyBytes": QUOTA}), clock) as running:
        yield running


async def ask(api: Api, question: str) -> int:
    """Ask the database itself."""
    async with api.app._manager.storage._database.read() as connection:
        return int(await connection.scalar(text(f"SELECT {question}")) or 0)


async def used(client: httpx.AsyncClient) -> int:
    items = (await client.get("/me/usage")).json()["items"]
    return next(int(item["used"]) for item in items if item["name"] == "historyBytes")


async def save(client: httpx.AsyncClient, data: Any, app: str = "app") -> None:
    answer = await client.post("/prefs", json={"app": app, "data": data})
    assert answer.status_code == 201, answer.text


async def revisions(api: Api, user: str) -> list[int]:
    """The revisions that are kept of the one preference of a user."""
    (item,) = (await api.admin.get("/admin/prefs", params={"user": user})).json()["items"]
    answer = await api.admin.get(f"/admin/prefs/{item['id']}/revisions", params={"limit": 1000})
    return [each["revision"] for each in answer.json()["items"]]


def large(number: int) -> dict[str, str]:
    """A document in which every member changes each time, with names as long as the audit has to bear."""
    return {f"{'name' * 100}{each}": f"{number:050}" for each in range(DOCUMENT // 460)}


@pytest.mark.long
async def test_sixty_rewrites_of_a_large_preference_are_kept_up_to_the_quota(limited: Api) -> None:
    ann, bob = await limited.add_user("ann"), await limited.add_user("bob")
    for number in range(3):
        await save(bob, {"n": number})
    theirs = await revisions(limited, "bob")
    size = len(json.dumps(large(0)))
    assert size > 0.95 * DOCUMENT

    for number in range(60):
        await save(ann, large(number))
        if number % 20 == 7:
            assert await ask(limited, "sum(length(body)) FROM history WHERE owner = 'ann'") < QUOTA + 1.1 * size

    kept = await revisions(limited, "ann")
    assert await ask(limited, "sum(length(body)) FROM history WHERE owner = 'ann'") < QUOTA + 1.1 * size
    assert QUOTA - 1.1 * size < await used(ann) <= QUOTA
    assert len(kept) in (5, 6)
    assert (await ann.get("/prefs", params={"app": "app"})).json()["data"] == large(59)
    # The history of others is as it was, and nothing of it looks altered.
    assert await revisions(limited, "bob") == theirs
    assert (await limited.admin.get("/admin/audit/verify")).json()["ok"] is True
    # A revision that was removed is not found.
    (item,) = (await limited.admin.get("/admin/prefs", params={"user": "ann"})).json()["items"]
    gone = await limited.admin.get(f"/admin/prefs/{item['id']}/revisions/{kept[-1] - 1}")
    assert gone.status_code == 404
    assert "is no longer stored" in gone.json()["error"]["message"]
    # The audit has one entry for each write, which is limited whatever is in the documents.
    assert await ask(limited, "count(*) FROM audit WHERE actor = 'ann'") == 60
    assert await ask(limited, "max(length(entry)) FROM audit WHERE actor = 'ann'") < 70 * KB


@pytest.mark.long
async def test_documents_made_and_deleted_again_and_again_are_kept_up_to_the_quota(
    store: str, clock: SettableClock
) -> None:
    quota = 20 * ROW
    async with running_api(manager_config(store, quotas={"historyBytes": quota}), clock) as api:
        ann = await api.add_user("ann")
        layout = {"name": "Evening", "type": "Global", "components": []}
        await save(ann, "stays", "another app")

        async def preference() -> None:
            await save(ann, "x")
            assert (await ann.request("DELETE", "/prefs", json={"app": "app"})).is_success

        async def layouts() -> None:
            assert (await ann.post("/layouts", json={"layout": layout})).is_success
            body = {"layout": layout, "newName": "Late"}
            assert (await ann.put("/layouts", json=body)).is_success
            assert (await ann.request("DELETE", "/layouts", json={"name": "Late", "type": "Global"})).is_success

        for cycle in (preference, layouts):
            for _ in range(12):
                await cycle()
            rows = await ask(api, "count(*) FROM history WHERE owner = 'ann'")
            assert await used(ann) <= quota
            # What exists stays, however old it is; each of the others counts more than it has text.
            assert rows <= quota // ROW + 1
        assert (await ann.get("/prefs/all")).json()[0]["data"] == "stays"
        (kept,) = (await api.admin.get("/admin/prefs")).json()["items"]
        assert (await api.admin.get(f"/admin/prefs/{kept['id']}/revisions")).json()["total"] == 1
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"] is True


@pytest.mark.long
async def test_a_lower_limit_holds_from_the_next_write_on_and_minus_one_is_no_limit(
    sqlite: str, clock: SettableClock
) -> None:
    def config(limit: int) -> Any:
        return manager_config(sqlite, quotas={"historyBytes": limit})

    async with running_api(config(-1), clock) as api:
        ann = await api.add_user("ann")
        for number in range(40):
            await save(ann, f"{number:01000}")
        assert len(await revisions(api, "ann")) == 40
        before = await used(ann)
        usage = (await ann.get("/me/usage")).json()["items"]
        assert {"name": "historyBytes", "used": before, "limit": None} in usage

    async with running_api(config(5 * KB), clock) as api:
        ann = api.client(("ann", "ann-password"))
        assert await used(ann) == before
        # What administrators write for a user counts, and is not limited.
        (item,) = (await api.admin.get("/admin/prefs")).json()["items"]
        assert (await api.admin.patch(f"/admin/prefs/{item['id']}", json={"data": "y" * 1000})).is_success
        assert len(await revisions(api, "ann")) == 41
        assert await used(ann) > before
        # A write that changes nothing of the documents has no effect on them either.
        assert (await ann.post("/layouts/default", json={})).is_success
        await save(ann, "new")
        assert await used(ann) <= 5 * KB
        assert len(await revisions(api, "ann")) == 4

    async with running_api(config(0), clock) as api:
        ann = api.client(("ann", "ann-password"))
        await save(ann, "newest")
        assert await used(ann) == 0
        assert len(await revisions(api, "ann")) == 1
