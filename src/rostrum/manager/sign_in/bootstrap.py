"""At each start: predefined and exclusive users become administrators; problems with signing in are reported."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from rostrum.base.command_line import CommandLine
from rostrum.base.errors import RostrumError
from rostrum.base.ids import problem_of_new_id
from rostrum.base.passwords import Passwords
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.access.permissions import ADMIN_GROUP
from rostrum.manager.database.diagnostics import Diagnostics
from rostrum.manager.database.paging import Query
from rostrum.manager.groups.repository import Groups
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

_MOST_NAMES = 100


class Bootstrap(Struct, frozen=True):
    """The result for the users that the settings name.

    Attributes:
        created: Predefined users that did not exist before.
        missing: Exclusive users that do not exist.

    """

    created: frozenset[str]
    missing: tuple[str, ...]


async def ensure_administrators(
    storage: Storage, passwords: Passwords, *, predefined: Iterable[str], exclusive: Iterable[str]
) -> Bootstrap:
    """Create the predefined users, and add them and the exclusive users to the admin group.

    An existing predefined user keeps the stored password, which may have been changed.
    """
    created: set[str] = set()
    missing: list[str] = []
    for entry in predefined:
        user_id, _, password = entry.partition(":")
        is_admin = await _is_admin_already(storage, user_id)
        if not is_admin and await _make_or_promote(storage, passwords, user_id, password):
            created.add(user_id)
    for user_id in exclusive:
        # Read first: a write would add an audit entry at each start of each node, even without a change.
        if not await _is_there(storage, user_id):
            missing.append(user_id)
        elif not await _is_admin_already(storage, user_id):
            async with storage.write(SYSTEM.user) as work:
                user = await work.of(Users).get(user_id)
                if user is not None:
                    await _promote(work, user)
    return Bootstrap(frozenset(created), tuple(missing))


async def sign_in_warnings(
    storage: Storage, passwords: Passwords, *, predefined: Iterable[str], done: Bootstrap, command: CommandLine
) -> list[str]:
    """Describe why users may not be able to sign in as the settings suggest, with the commands that help."""
    async with storage.read() as work:
        warnings = await _nobody(work, command)
        kept = [
            (user, password)
            for user_id, _, password in (entry.partition(":") for entry in predefined)
            if user_id not in done.created and (user := await work.of(Users).get(user_id)) is not None
        ]
    for user, password in kept:
        if not await passwords.verify(user.password_hash, password):
            change = command("manager", "user", "passwd", argument=user.id)
            warnings.append(
                f"the password of the predefined user {user.id!r} in the settings is not used: the user already exists "
                f"and keeps the stored password, which is different. To change the stored password, run: {change}"
            )
    return warnings


async def add_administrator(work: Work, command: CommandLine) -> str:
    """Write the command that adds an administrator, with a user ID that does not exist yet."""
    user_id = "admin"
    for number in range(2, _MOST_NAMES):
        if await work.of(Users).get(user_id) is None and await work.of(Users).similar_to(user_id) is None:
            break
        user_id = f"admin{number}"
    return command("manager", "user", "add", "--admin", "--generate", argument=user_id)


async def _nobody(work: Work, command: CommandLine) -> list[str]:
    if await work.of(Diagnostics).administrators(ADMIN_GROUP):
        return []
    users = await work.of(Users).page(Query(limit=1))
    problem = (
        f"no administrator can sign in: no enabled user with a password is in the group {ADMIN_GROUP}"
        if users.items
        else "no user can sign in: the database has no users, and the settings define none"
    )
    return [f"{problem}. To add an administrator, run: {await add_administrator(work, command)}"]


async def _is_there(storage: Storage, user_id: str) -> bool:
    async with storage.read() as work:
        return await work.of(Users).get(user_id) is not None


async def _is_admin_already(storage: Storage, user_id: str) -> bool:
    async with storage.read() as work:
        return ADMIN_GROUP in await work.of(Users).groups_of(user_id)


async def _make_or_promote(storage: Storage, passwords: Passwords, user_id: str, password: str) -> bool:
    """Create the user, or add an existing one to the admin group; return whether the user was created."""
    hashed = await passwords.hash(password)
    async with storage.write(SYSTEM.user) as work:
        user = await work.of(Users).get(user_id)
        if user is not None:
            await _promote(work, user)
            return False
        problem = problem_of_new_id(user_id)
        if problem is not None:
            raise RostrumError(f"the predefined user {user_id!r} cannot be created: the user ID {problem}")
        if (other := await work.of(Users).similar_to(user_id)) is not None:
            raise RostrumError(
                f"the predefined user {user_id!r} cannot be created: the ID is too similar to the ID {other!r}"
            )
        new = User(id=user_id, groups=(ADMIN_GROUP,), password_hash=hashed, epoch=work.revision, stamp=work.stamp())
        await work.of(Groups).add_missing(new.groups, work.stamp())
        await work.of(Users).add(new)
        return True


async def _promote(work: Work, user: User) -> None:
    groups = tuple(sorted({*user.groups, ADMIN_GROUP}))
    await work.of(Groups).add_missing(groups, work.stamp())
    await work.of(Users).put(replace(user, groups=groups, stamp=work.stamp(user.stamp)))
