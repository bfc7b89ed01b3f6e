"""Every change is counted, once it is kept, wherever it was made."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

from rostrum.manager.content_versions import ContentTopic, ContentVersions
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sign_in.repository import RevokedTokens
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from tests.tables import add_tables


async def marks(storage: Storage) -> ContentVersions:
    found = await storage.revisions.current()
    assert found is not None
    return found


async def add_user(storage: Storage, name: str) -> None:
    async with storage.write("test") as work:
        await work.of(Users).add(User(id=name, stamp=work.stamp()))


@pytest.fixture
async def storages(store: str) -> Any:
    """Two processes' worth of storage on one database."""
    await add_tables(store)
    here, there = manager_storage(store), manager_storage(store)
    await here.open()
    yield here, there
    await here.close()
    await there.close()


async def test_a_change_is_seen_by_all_and_only_in_its_topic(storages: tuple[Storage, Storage]) -> None:
    here, there = storages
    before = [await marks(here), await marks(there)]
    assert before[0] == before[1]

    await add_user(there, "ann")

    for storage in storages:
        after = await marks(storage)
        changed = {topic for topic in ContentTopic if after.of((topic,)) > before[0].of((topic,))}
        assert changed == {ContentTopic.PEOPLE}
        assert await marks(storage) == after


async def test_what_is_undone_is_not_counted(storages: tuple[Storage, Storage]) -> None:
    here, _ = storages
    before = await marks(here)

    with suppress(RuntimeError):
        async with here.write("test") as work:
            await work.of(Users).add(User(id="ann", stamp=work.stamp()))
            raise RuntimeError
    async with here.write("test"):
        pass

    assert [(await marks(here)).of((topic,)) for topic in ContentTopic] == [
        before.of((topic,)) for topic in ContentTopic
    ]


async def test_an_ended_login_is_counted_and_a_heartbeat_is_not(storages: tuple[Storage, Storage]) -> None:
    here, there = storages
    before = await marks(here)
    async with there.note() as work:
        await work.of(Sessions).touch("none", work.now)
    assert (await marks(here)).of(tuple(ContentTopic)) == before.of(tuple(ContentTopic))

    async with there.write("test") as work:
        await work.of(RevokedTokens).add("token", datetime(2030, 1, 1, tzinfo=UTC), "ann")

    assert (await marks(here)).of((ContentTopic.LOGINS,)) == before.of((ContentTopic.LOGINS,)) + 1


async def test_questions_at_the_same_time_all_get_an_answer_as_new_as_they_are(
    storages: tuple[Storage, Storage],
) -> None:
    here, there = storages
    counts = []
    for number in range(5):
        await add_user(there, f"user {number}")
        found = await asyncio.gather(*(marks(here) for _ in range(20)))
        counts.append({each.of((ContentTopic.PEOPLE,)) for each in found})

    assert counts == [{number + counts[0].copy().pop()} for number in range(5)]


@pytest.mark.long
async def test_nothing_is_reported_once_it_is_closed(sqlite: str) -> None:
    storage = manager_storage(sqlite)
    await storage.open()
    await storage.close()

    assert storage.revisions.now() is None
