"""User accounts, and the apps and layouts that are assigned to them."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec.structs import replace

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.base.problems import Problem
from rostrum.contracts.users import NewUser, UserChange, UserDocument
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission, refuse_unknown_rights
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Expected, Forbidden, found, same_revision
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.kinds import Kind
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.desktop_guard import require_still_admin
from rostrum.manager.users.endings import BY_DEFAULT, NOTHING, Endings
from rostrum.manager.users.model import SignedOut, User
from rostrum.manager.users.repository import Users


class UserService(DocumentService):
    """The users of the manager."""

    kind = Kind.USER

    def __init__(self, storage: Storage, passwords: Passwords, policy: PasswordPolicy) -> None:
        self._storage = storage
        self._passwords = passwords
        self._policy = policy

    async def me(self, identity: Identity) -> User:
        """Read the caller's own record."""
        async with self._storage.read() as work:
            return found(await work.of(Users).get(identity.user), "user", identity.user)

    async def page(self, identity: Identity, query: Query) -> Page[User]:
        require(identity, Permission.USERS_READ)
        async with self._storage.read() as work:
            return await work.of(Users).page(query)

    async def get(self, identity: Identity, user_id: str) -> User:
        require(identity, Permission.USERS_READ)
        async with self._storage.read() as work:
            return found(await work.of(Users).get(user_id), "user", user_id)

    async def last_seen(self, identity: Identity, users: Iterable[User]) -> Mapping[str, datetime]:
        """Read the last contact of users. It is computed from other records, so that polls need not change users."""
        require(identity, Permission.USERS_READ)
        async with self._storage.read() as work:
            return await work.of(Users).last_seen([user.id for user in users])

    @prepares_audit
    async def create(self, identity: Identity, body: NewUser) -> User:
        """Create a user; without a password, the user cannot sign in with one."""
        require(identity, Permission.USERS_WRITE)
        refuse_unknown_rights("groups", body.groups)
        if body.password is not None:
            refuse_token(identity)
        hashed = await self._hash(body.password)
        async with self._storage.write(identity.user) as work:
            if await work.of(Users).get(body.id) is not None:
                raise Conflict(f"the user {body.id!r} already exists")
            user = User(
                id=body.id,
                display_name=body.display_name,
                email=body.email,
                groups=tuple(body.groups),
                apps=tuple(body.apps),
                layouts=tuple(body.layouts),
                disabled=body.disabled,
                service=body.service,
                password_hash=hashed,
                epoch=work.revision,
                stamp=work.stamp(),
            )
            return await save_user(work, identity, None, user)

    async def replace(self, identity: Identity, user_id: str, body: UserDocument, expected: Expected = None) -> User:
        """Replace a user; the password is changed only if one is sent."""
        given = {name: getattr(body, name) for name in UserDocument.model_fields}
        if body.password is None:
            del given["password"]
        return await self._update(identity, user_id, UserChange.model_construct(set(given), **given), expected)

    async def change(self, identity: Identity, user_id: str, body: UserChange, expected: Expected = None) -> User:
        """Change the properties that were sent."""
        return await self._update(identity, user_id, body, expected)

    @prepares_audit
    async def remove(self, identity: Identity, user_id: str, expected: Expected = None) -> None:
        """Delete a user with the user's layouts, preferences, configuration files and tokens, and end all sessions."""
        require(identity, Permission.USERS_WRITE)
        async with self._storage.write(identity.user) as work:
            user = found(await work.of(Users).get(user_id), "user", user_id)
            same_revision(expected, user.stamp.revision, "user", user_id)
            await remove_user(work, identity, user)

    async def change_own_password(self, identity: Identity, password: str, ends: Endings = NOTHING) -> User:
        """Change the caller's password; all sessions of the caller end."""
        self.check_password(password, "new")
        hashed = await self._passwords.hash(password)
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(Users).get(identity.user), "user", identity.user)
            changed = replace(before, password_hash=hashed)
            after = await save_user(work, identity, before, changed, ends)
        report(SecurityEvent.PASSWORD_CHANGED, identity.user)
        return after

    async def sign_out(self, identity: Identity, user_id: str, ends: Endings) -> SignedOut:
        """End all sessions of a user; callers must have the rights of the user."""
        require(identity, Permission.USERS_WRITE)
        async with self._storage.write(identity.user) as work:
            user = found(await work.of(Users).get(user_id), "user", user_id)
            await _require_power_over(work, identity, user.groups)
            ended = await end_sessions(work, user_id, ends)
        report(SecurityEvent.LOGGED_OUT, user_id, actor=identity.user)
        return ended

    @prepares_audit
    async def _update(self, identity: Identity, user_id: str, body: UserChange, expected: Expected) -> User:
        require(identity, Permission.USERS_WRITE)
        given = body.given()
        ends = Endings(given.pop("revoke_api_tokens", None), given.pop("stop_planned_work", None))
        if given.pop("id", None) not in (None, user_id):
            raise Invalid("invalid user", [Problem(path="id", message=f"cannot be changed; it must be {user_id!r}")])
        if given.get("service") is None:
            given.pop("service", None)
        refuse_unknown_rights("groups", given.get("groups", ()))
        if "password" in given:
            refuse_token(identity)
        hashed = await self._hash(given["password"]) if "password" in given else None
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(Users).get(user_id), "user", user_id)
            same_revision(expected, before.stamp.revision, "user", user_id)
            changed = _changed(before, given, hashed)
            after = await save_user(work, identity, before, changed, ends)
        if after.password_hash != before.password_hash:
            report(SecurityEvent.PASSWORD_CHANGED, user_id, actor=identity.user)
        if after.disabled and not before.disabled:
            report(SecurityEvent.DISABLED, user_id, actor=identity.user)
        return after

    def check_password(self, password: str, member: str) -> None:
        """Refuse a new password that violates the password policy; ``member`` is its name in the request."""
        problem = self._policy.problem(password)
        if problem is not None:
            raise Invalid("the password is too weak", [Problem(path=member, message=problem)])

    async def _hash(self, password: str | None) -> str | None:
        if password is None:
            return None
        self.check_password(password, "password")
        return await self._passwords.hash(password)

    @staticmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:
        """Restore a user. Passwords are not part of revisions, so a deleted user is restored without a password."""
        before = await work.of(Users).get(key)
        if body is None:
            if before is not None:
                await remove_user(work, identity, before)
            return
        members = json_text.parse(body)
        bare = before or User(id=key, epoch=work.revision, stamp=work.stamp())
        after = replace(
            bare,
            service=members.get("service", False),
            display_name=members.get("displayName"),
            email=members["email"],
            groups=tuple(members["groups"]),
            apps=tuple(members["apps"]),
            layouts=tuple(members["layouts"]),
            disabled=members["disabled"],
        )
        await save_user(work, identity, before, after)


async def end_sessions(work: Work, user_id: str, ends: Endings) -> SignedOut:
    """End all sessions of a user: pages and desktops. The password stays valid."""
    await work.of(Users).end_sign_ins(user_id, work.revision)
    desktops = await work.of(Sessions).end_of_user(user_id, work.now)
    return replace(await ends.apply(work, user_id, by_default=False), desktops=desktops)


async def save_user(
    work: Work, identity: Identity, before: User | None, after: User, ends: Endings = BY_DEFAULT
) -> User:
    """Store a new or changed user, and return it as it is read again.

    Callers cannot grant or revoke rights that they lack, or lock themselves out. With a new password ends what somebody
    else may have created or planned; by default, only if another user sets it.
    """
    _check_service_account(before, after)
    after = replace(after, disabled_since=after.time_disabled(before, work.now))
    if before is None:
        await _require_power_over(work, identity, after.groups)
        await refuse_similar_id(work, after.id)
        await work.of(Users).add(after)
    else:
        check_change(identity, before, after, await work.of(Groups).graph())
        if after.password_hash != before.password_hash or (after.disabled and not before.disabled):
            after = replace(after, epoch=work.revision)
            await work.of(Sessions).end_of_user(after.id, work.now)
        if after.disabled:
            # Command runs and roll-outs stop by themselves, when their author can no longer sign in.
            await work.disabled([after.id])
        if after.password_hash != before.password_hash:
            await ends.apply(work, after.id, by_default=identity.user != after.id)
        after = replace(after, stamp=work.stamp(before.stamp))
        await work.of(Users).put(after)
        await require_still_admin(work, identity)
    await work.of(Groups).add_missing(after.groups, work.stamp())
    return replace(
        after,
        groups=tuple(sorted(set(after.groups))),
        apps=tuple(sorted(set(after.apps))),
        layouts=tuple(sorted(set(after.layouts))),
    )


def _check_service_account(before: User | None, after: User) -> None:
    if before is not None and before.service != after.service:
        message = "cannot be changed: delete the user, and create another one"
        raise Invalid("the kind of an account cannot be changed", [Problem(path="service", message=message)])
    if after.service and after.password_hash is not None:
        message = "a service account has no password: create an API token for it"
        raise Invalid("a service account cannot sign in", [Problem(path="password", message=message)])


def refuse_token(identity: Identity) -> None:
    """Refuse a caller with an API token: by setting a password, a program could sign in with more rights."""
    if identity.token is not None:
        raise Forbidden("passwords cannot be set with an API token: sign in with a password")


def check_change(identity: Identity, before: User, after: User, graph: Graph) -> None:
    """Refuse a change by a caller who lacks rights of the user, or who would be locked out."""
    require_power_over(identity, expand({*before.groups, *after.groups}, graph))
    refuse_self_lockout(identity, before, after)


def refuse_self_lockout(identity: Identity, before: User, after: User) -> None:
    """Refuse a change by which callers would lock themselves out."""
    if before.id != identity.user:
        return
    if after.disabled:
        raise Conflict("you cannot disable yourself: ask another administrator")
    if before.password_hash is not None and after.password_hash is None:
        raise Conflict("you cannot remove your own password: ask another administrator")


async def refuse_similar_id(work: Work, user_id: str) -> None:
    """Refuse an ID that people could confuse with that of another user."""
    other = await work.of(Users).similar_to(user_id)
    if other is not None:
        raise Conflict(f"the user ID {user_id!r} is too similar to the existing user ID {other!r}")


async def remove_user(work: Work, identity: Identity, user: User) -> None:
    if user.id == identity.user:
        raise Conflict("you cannot delete yourself: ask another administrator")
    await _require_power_over(work, identity, user.groups)
    await work.of(Users).remove(user.id)


def _changed(before: User, given: dict[str, object], hashed: str | None) -> User:
    changes = {name: value for name, value in given.items() if name != "password"}
    for name in ("groups", "apps", "layouts"):
        value = changes.get(name)
        if isinstance(value, list):
            changes[name] = tuple(value)
    if "password" in given:
        changes["password_hash"] = hashed
    return replace(before, **changes)


async def _require_power_over(work: Work, identity: Identity, groups: Iterable[str]) -> None:
    require_power_over(identity, expand(groups, await work.of(Groups).graph()))
