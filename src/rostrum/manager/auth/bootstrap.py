"""At each start: predefined and exclusive users get into the admin group."""

from collections.abc import Iterable
from dataclasses import replace

from rostrum.base.passwords import Passwords
from rostrum.manager.permissions.identity import SYSTEM
from rostrum.manager.permissions.permissions import ADMIN_GROUP
from rostrum.manager.storage import Storage, User, Work

__all__ = ["ensure_administrators"]


async def ensure_administrators(
    storage: Storage, passwords: Passwords, *, predefined: Iterable[str], exclusive: Iterable[str]
) -> list[str]:
    """Make the predefined users, give the admin group to them and to the exclusive ones; name those missing.

    A predefined user that exists keeps the password it has: it may have been changed since.
    """
    missing: list[str] = []
    for entry in predefined:
        user_id, _, password = entry.partition(":")
        if not await _is_admin_already(storage, user_id):
            await _make_or_promote(storage, passwords, user_id, password)
    for user_id in exclusive:
        # Looked up first: a write leaves an entry in the audit, at each start of each node, even if it finds nobody.
        if not await _is_there(storage, user_id):
            missing.append(user_id)
        elif not await _is_admin_already(storage, user_id):
            async with storage.write(SYSTEM.user) as work:
                user = await work.users.get(user_id)
                if user is not None:
                    await _promote(work, user)
    return missing


async def _is_there(storage: Storage, user_id: str) -> bool:
    async with storage.read() as work:
        return await work.users.get(user_id) is not None


async def _is_admin_already(storage: Storage, user_id: str) -> bool:
    async with storage.read() as work:
        return ADMIN_GROUP in await work.users.groups_of(user_id)


async def _make_or_promote(storage: Storage, passwords: Passwords, user_id: str, password: str) -> None:
    hashed = await passwords.hash(password)
    async with storage.write(SYSTEM.user) as work:
        user = await work.users.get(user_id)
        if user is not None:
            await _promote(work, user)
            return
        new = User(id=user_id, groups=(ADMIN_GROUP,), password_hash=hashed, epoch=work.revision, stamp=work.stamp())
        await work.groups.add_missing(new.groups, work.stamp())
        await work.users.add(new)


async def _promote(work: Work, user: User) -> None:
    groups = tuple(sorted({*user.groups, ADMIN_GROUP}))
    await work.groups.add_missing(groups, work.stamp())
    await work.users.put(replace(user, groups=groups, stamp=work.stamp(user.stamp)))
