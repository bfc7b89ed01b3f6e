from collections.abc import AsyncIterator, Iterator

import pytest
from msgspec.structs import replace

from rostrum.base.clock import SettableClock
from rostrum.base.command_line import CommandLine
from rostrum.base.errors import RostrumError
from rostrum.base.passwords import Passwords
from rostrum.manager.audit.repository import Audit
from rostrum.manager.groups.repository import Groups
from rostrum.manager.sign_in.bootstrap import Bootstrap, ensure_administrators, sign_in_warnings
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

ADMIN = "PLATFORM_SERVER_ADMIN"


@pytest.fixture
async def storage(sqlite: str, clock: SettableClock) -> AsyncIterator[Storage]:
    opened = manager_storage(sqlite, clock)
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
        user = await work.of(Users).get(user_id)
    assert user is not None
    return user


async def add(storage: Storage, user_id: str, *groups: str, password_hash: str | None = None) -> None:
    async with storage.write("test") as work:
        await work.of(Users).add(
            User(id=user_id, groups=groups, password_hash=password_hash, epoch=work.revision, stamp=work.stamp())
        )


async def start(storage: Storage, passwords: Passwords, *predefined: str, exclusive: tuple[str, ...] = ()) -> Bootstrap:
    return await ensure_administrators(storage, passwords, predefined=predefined, exclusive=exclusive)


@pytest.mark.long
@pytest.mark.rule("R-2.2-3", "R-5-6")
async def test_predefined_users_are_made_administrators(storage: Storage, passwords: Passwords) -> None:
    assert (await start(storage, passwords, "ann:secret", "bob:other")).created == {"ann", "bob"}

    for user_id, password in (("ann", "secret"), ("bob", "other")):
        user = await user_of(storage, user_id)
        assert user.groups == (ADMIN,)
        assert await passwords.verify(user.password_hash, password)


@pytest.mark.long
async def test_a_predefined_password_may_hold_colons(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:a:b::c")

    assert await passwords.verify((await user_of(storage, "ann")).password_hash, "a:b::c")


@pytest.mark.long
async def test_a_password_changed_since_is_not_reset_at_the_next_start(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:first")
    async with storage.write("ann") as work:
        user = await work.of(Users).get("ann")
        assert user is not None
        changed = replace(user, password_hash=await passwords.hash("second"), epoch=work.revision)
        await work.of(Users).put(changed)

    await start(storage, passwords, "ann:first")

    after = await user_of(storage, "ann")
    assert after == changed
    assert await passwords.verify(after.password_hash, "second")


@pytest.mark.long
async def test_a_start_that_has_nothing_to_do_writes_nothing(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:secret", exclusive=("ann", "nobody"))
    before = await user_of(storage, "ann")
    async with storage.read() as work:
        told = await work.of(Audit).ends()

    done = await start(storage, passwords, "ann:secret", exclusive=("ann", "nobody"))
    assert done == Bootstrap(frozenset(), ("nobody",))

    assert await user_of(storage, "ann") == before
    async with storage.read() as work:
        assert await work.of(Audit).ends() == told


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.rule("R-1-12", "R-2.2-2", "R-5-6")
async def test_exclusive_users_are_promoted(storage: Storage, passwords: Passwords) -> None:
    await add(storage, "ann", "Desk")

    assert (await start(storage, passwords, exclusive=("ann",))).missing == ()

    assert (await user_of(storage, "ann")).groups == ("Desk", ADMIN)


@pytest.mark.long
async def test_an_exclusive_user_may_be_one_that_is_predefined(storage: Storage, passwords: Passwords) -> None:
    assert (await start(storage, passwords, "ann:secret", exclusive=("ann",))).missing == ()


@pytest.mark.long
@pytest.mark.rule("R-2.2-2", "X-D-2")
async def test_missing_exclusive_users_are_named_and_the_rest_go_on(storage: Storage, passwords: Passwords) -> None:
    await add(storage, "ann")
    await add(storage, "bob")

    done = await start(storage, passwords, "root:secret", exclusive=("nobody", "ann", "no-one", "bob"))

    assert done.missing == ("nobody", "no-one")
    for user_id in ("root", "ann", "bob"):
        assert ADMIN in (await user_of(storage, user_id)).groups
    async with storage.read() as work:
        assert await work.of(Users).get("nobody") is None


@pytest.mark.long
@pytest.mark.rule("R-0-2")
async def test_the_admin_group_is_there_to_be_seen(storage: Storage, passwords: Passwords) -> None:
    await start(storage, passwords, "ann:secret")

    async with storage.read() as work:
        assert await work.of(Groups).get(ADMIN) is not None


async def warnings(storage: Storage, passwords: Passwords, *predefined: str) -> list[str]:
    done = await start(storage, passwords, *predefined)
    command = CommandLine(("--config", "a b.json"))
    return await sign_in_warnings(storage, passwords, predefined=predefined, done=done, command=command)


@pytest.mark.long
async def test_an_empty_database_without_predefined_users_is_reported_with_the_command(
    storage: Storage, passwords: Passwords
) -> None:
    (warning,) = await warnings(storage, passwords)

    assert "no user can sign in" in warning
    assert warning.endswith("manager user add --admin --generate --config 'a b.json' admin")


@pytest.mark.long
async def test_users_without_an_administrator_are_reported_and_the_command_takes_a_free_id(
    storage: Storage, passwords: Passwords
) -> None:
    await add(storage, "admin", "Desk", password_hash=await passwords.hash("secret"))

    (warning,) = await warnings(storage, passwords)

    assert "no administrator can sign in" in warning
    assert warning.endswith(" admin2")


@pytest.mark.long
async def test_a_changed_password_of_a_predefined_user_is_reported_without_showing_it(
    storage: Storage, passwords: Passwords
) -> None:
    assert await warnings(storage, passwords, "ann:first", "-bob:other") == []
    assert await warnings(storage, passwords, "ann:first", "-bob:other") == []

    (warning,) = await warnings(storage, passwords, "ann:first", "-bob:distinctive")

    assert "'-bob'" in warning
    assert warning.endswith("manager user passwd --config 'a b.json' -- -bob")
    assert "distinctive" not in warning
    assert "other" not in warning
    assert await passwords.verify((await user_of(storage, "-bob")).password_hash, "other")


@pytest.mark.long
async def test_a_predefined_user_without_a_stored_password_is_reported(storage: Storage, passwords: Passwords) -> None:
    await add(storage, "ann", ADMIN)
    await add(storage, "bob", ADMIN, password_hash=await passwords.hash("other"))

    (warning,) = await warnings(storage, passwords, "ann:first")

    assert "'ann'" in warning


@pytest.mark.long
@pytest.mark.parametrize(
    "entry", ["ADMIN:a long password", "admin :a long password", "аdmin:a long password"], ids=ascii
)
async def test_a_predefined_user_that_looks_like_another_stops_the_start(
    storage: Storage, passwords: Passwords, entry: str
) -> None:
    await add(storage, "admin")

    with pytest.raises(RostrumError, match="cannot be created"):
        await start(storage, passwords, entry)


@pytest.mark.long
async def test_a_predefined_user_that_exists_under_an_odd_id_stays(storage: Storage, passwords: Passwords) -> None:
    await add(storage, "admin")
    await add(storage, "ADMIN ")

    await start(storage, passwords, "ADMIN :a long password")

    assert (await user_of(storage, "ADMIN ")).groups == (ADMIN,)
