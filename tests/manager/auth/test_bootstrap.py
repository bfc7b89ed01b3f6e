from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.auth.bootstrap import ensure_administrators
from rostrum.manager.storage import Storage, User

ADMIN = "PLATFORM_SERVER_ADMIN"


@pytest.fixture
async def storage(sqlite: str, clock: SettableClock) -> AsyncIterator[Storage]:
    opened = Storage(sqlite, clock)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    cheap = Passwords(memory_kib=8, rounds=1)
    yield cheap
    cheap.close()


async def user_of(storage: Storage, user_id: str) -> User:
    async with storage.read() as work:
        user = await work.users.get(user_id)
    assert user is not None
    return user


async def add(storage: Storage, user_id: str, *groups: str, password_hash: str | None = None) -> None:
    async with storage.write("test") as work:
        await work.users.add(
            User(id=user_id, groups=groups, password_hash=password_hash, epoch=work.revision, stamp=work.stamp())
        )


async def start(storage: Storage, passwords: Passwords, *predefined: str, exclusive: tuple[str, ...] = ()) -> list[str]:
    return await ensure_administrators(storage, passwords, predefined=predefined, exclusive=exclusive)


@pytest.mark.rule("R-2.2-3")
async def test_predefined_users_are_made_administrators(storage: Storage, passwords: Passwords) -> None:
    assert await start(storage, passwords, "ann:secret", "bob:other") == []

    for user_id, password in (("ann", "secret"), ("bob", "other")):
        user = await user_of(storage, user_id)
        assert user.groups == (ADMIN,)
        assert await passwords.verify(user.password_hash, password)


async def test_a_predefined_password_may_hold_colons(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:a:b::c")

    assert await passwords.verify((await user_of(storage, "ann")).password_hash, "a:b::c")


async def test_a_password_changed_since_is_not_reset_at_the_next_start(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:first")
    async with storage.write("ann") as work:
        user = await work.users.get("ann")
        assert user is not None
        changed = replace(user, password_hash=await passwords.hash("second"), epoch=work.revision)
        await work.users.put(changed)

    await start(storage, passwords, "ann:first")

    after = await user_of(storage, "ann")
    assert after == changed
    assert await passwords.verify(after.password_hash, "second")


async def test_a_start_that_has_nothing_to_do_writes_nothing(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:secret", exclusive=("ann", "nobody"))
    before = await user_of(storage, "ann")
    async with storage.read() as work:
        told = await work.audit.ends()

    assert await start(storage, passwords, "ann:secret", exclusive=("ann", "nobody")) == ["nobody"]

    assert await user_of(storage, "ann") == before
    async with storage.read() as work:
        assert await work.audit.ends() == told


async def test_a_predefined_user_who_exists_is_promoted_and_keeps_everything_else(
    storage: Storage, passwords: Passwords
) -> None:
    await add(storage, "ann", "Desk", password_hash=await passwords.hash("own"))
    before = await user_of(storage, "ann")

    await start(storage, passwords, "ann:predefined")

    after = await user_of(storage, "ann")
    assert after.groups == ("Desk", ADMIN)
    assert await passwords.verify(after.password_hash, "own")
    assert after.epoch == before.epoch


@pytest.mark.rule("R-2.2-2")
async def test_exclusive_users_are_promoted(storage: Storage, passwords: Passwords) -> None:
    await add(storage, "ann", "Desk")

    assert await start(storage, passwords, exclusive=("ann",)) == []

    assert (await user_of(storage, "ann")).groups == ("Desk", ADMIN)


async def test_an_exclusive_user_may_be_one_that_is_predefined(storage: Storage, passwords: Passwords) -> None:
    assert await start(storage, passwords, "ann:secret", exclusive=("ann",)) == []


@pytest.mark.rule("R-2.2-2")
async def test_missing_exclusive_users_are_named_and_the_rest_go_on(storage: Storage, passwords: Passwords) -> None:
    await add(storage, "ann")
    await add(storage, "bob")

    missing = await start(storage, passwords, "root:secret", exclusive=("nobody", "ann", "no-one", "bob"))

    assert missing == ["nobody", "no-one"]
    for user_id in ("root", "ann", "bob"):
        assert ADMIN in (await user_of(storage, user_id)).groups
    async with storage.read() as work:
        assert await work.users.get("nobody") is None


async def test_the_admin_group_is_there_to_be_seen(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:secret")

    async with storage.read() as work:
        assert await work.groups.get(ADMIN) is not None
