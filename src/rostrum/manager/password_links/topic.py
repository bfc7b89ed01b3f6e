"""Links with which users set a password: administrators create them, and users open them without being signed in."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace
from sqlalchemy import delete, insert, select

from rostrum.base.clock import Clock
from rostrum.base.errors import TooManyAttempts
from rostrum.base.passwords import Passwords
from rostrum.base.throttle import Throttle
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.approval.rules import is_protected, requires_approval
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.changes.origin import current_origin
from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import one_of
from rostrum.manager.database.transaction import Repository
from rostrum.manager.errors import Conflict, Forbidden
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.records import SECRET, from_rows, stored_as, to_row
from rostrum.manager.storage import Storage, Work
from rostrum.manager.topic import Purge, Topic
from rostrum.manager.users.endings import Endings
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import UserService, refuse_token, save_user

_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordLink:
    """A link of one user.

    Attributes:
        key_hash: The hash of the secret part, which is not stored.
        epoch: The epoch of the user when the link was created. A new password, and disabling the user, change it.

    """

    user: str = field(metadata=stored_as("user_id"))
    key_hash: str = field(repr=False, metadata=SECRET)
    epoch: int
    created: datetime
    created_by: str
    expires: datetime

    def shown(self) -> dict[str, Any]:
        """Return the data for the audit, without the hash."""
        return {"user": self.user, "expires": self.expires}


def new_token() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_of(token: str) -> str:
    # The token is random and long, so a fast hash is sufficient.
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkResult:
    """The new link of a user, or the reason why there is none."""

    user: str
    token: str | None = field(default=None, repr=False)
    expires: datetime | None = None
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "user": self.user,
            "result": "created" if self.message is None else "refused",
            "message": self.message,
            "token": self.token,
            "expires": self.expires,
        }


_LINK = tables.password_links.c


class PasswordLinks(Repository):
    """The links of one transaction."""

    async def find(self, key_hash: str) -> PasswordLink | None:
        statement = select(tables.password_links).where(_LINK.key_hash == key_hash)
        rows = (await self._connection.execute(statement)).all()
        return next(iter(from_rows(PasswordLink, tables.password_links, rows)), None)

    async def put_all(self, links: Sequence[PasswordLink]) -> None:
        """Store links; earlier links of the same users are no longer valid."""
        if not links:
            return
        users = [link.user for link in links]
        await self._connection.execute(
            delete(tables.password_links).where(one_of(self._connection, _LINK.user_id, users))
        )
        rows = [to_row(link, tables.password_links) for link in links]
        await self._connection.execute(insert(tables.password_links), rows)
        for link in links:
            self._journal.noted(Kind.PASSWORD_LINK, link.user, Action.CREATED, after=link.shown())

    async def use_up(self, link: PasswordLink) -> bool:
        """Delete a link that is used; return whether it was still there."""
        which = (_LINK.user_id == link.user, _LINK.key_hash == link.key_hash)
        self._journal.noted(Kind.PASSWORD_LINK, link.user, Action.DELETED, before=link.shown())
        return (await self._connection.execute(delete(tables.password_links).where(*which))).rowcount == 1

    async def remove_of_user(self, user_id: str) -> None:
        await self._connection.execute(delete(tables.password_links).where(_LINK.user_id == user_id))

    async def purge(self, now: datetime) -> int:
        """Delete expired links, and return their number."""
        return (await self._connection.execute(delete(tables.password_links).where(_LINK.expires < now))).rowcount


_INVALID = (
    "The link is not valid. It was used already, has expired or was replaced. Ask an administrator for a new link."
)


class PasswordLinkService:
    """Creates links and sets passwords with them."""

    def __init__(self, storage: Storage, users: UserService, passwords: Passwords, clock: Clock, *, hours: int) -> None:
        """Create links that expire after a number of hours."""
        self._storage = storage
        self._users = users
        self._passwords = passwords
        self._lifetime = timedelta(hours=hours)
        self._clock = clock
        self._throttle = Throttle(clock, remembers_pairs=False)

    async def create(self, identity: Identity, ids: Sequence[str], *, is_dry_run: bool = False) -> list[LinkResult]:
        """Create a link for each user; a user who cannot have one does not stop the others."""
        require(identity, Permission.USERS_WRITE)
        refuse_token(identity)
        if not is_dry_run:
            self._storage.require_comment([Kind.USER], current_origin().reason)
        wanted = list(dict.fromkeys(ids))
        begin = self._storage.read() if is_dry_run else self._storage.note(identity.user)
        async with begin as work:
            users = await work.of(Users).named(wanted)
            graph = await work.of(Groups).graph()
            tokens: dict[str, str] = {}
            links: list[PasswordLink] = []
            refusals: dict[str, str] = {}
            for user_id in wanted:
                try:
                    user = await _allowed(work, identity, user_id, users.get(user_id), graph)
                except (Conflict, Forbidden) as error:
                    refusals[user_id] = str(error)
                    continue
                tokens[user_id] = new_token()
                links.append(self._link(work, user, tokens[user_id]))
            if not is_dry_run:
                await work.of(PasswordLinks).put_all(links)
        expires = {link.user: link.expires for link in links}
        if is_dry_run:
            tokens = {}
        else:
            for user_id in tokens:
                report(SecurityEvent.PASSWORD_LINK_MADE, user_id, actor=identity.user)
        return [
            LinkResult(
                user=user_id, token=tokens.get(user_id), expires=expires.get(user_id), message=refusals.get(user_id)
            )
            for user_id in wanted
        ]

    async def open(self, token: str, address: str) -> tuple[User, datetime]:
        """Return the user of a valid link, and when it expires."""
        self._enter(token, address)
        async with self._storage.read() as work:
            link, user = await self._valid(work, token)
        self._throttle.take_back(hash_of(token), address)
        return user, link.expires

    async def use(self, token: str, password: str, address: str, ends: Endings) -> User:
        """Set the password of the user of a link. The link is then used up."""
        self._enter(token, address)
        async with self._storage.read() as work:
            _, user = await self._valid(work, token)
        # Only wrong links count.
        self._throttle.take_back(hash_of(token), address)
        self._users.check_password(password, "password")
        hashed = await self._passwords.hash(password)
        async with self._storage.write(user.id) as work:
            # Checked again: the same link may have been used in the meantime.
            link, user = await self._valid(work, token)
            if not await work.of(PasswordLinks).use_up(link):
                raise Forbidden(_INVALID)
            identity = Identity.of(user.id, expand(user.groups, await work.of(Groups).graph()))
            after = replace(user, password_hash=hashed)
            await save_user(work, identity, user, after, ends)
        report(SecurityEvent.PASSWORD_CHANGED, user.id)
        return user

    def _link(self, work: Work, user: User, token: str) -> PasswordLink:
        return PasswordLink(
            user=user.id,
            key_hash=hash_of(token),
            epoch=user.epoch,
            created=work.now,
            created_by=work.actor,
            expires=work.now + self._lifetime,
        )

    def _enter(self, token: str, address: str) -> None:
        """Count an attempt like a sign-in; the account is the link, so that nobody can block the links of others."""
        try:
            self._throttle.enter(hash_of(token), address)
        except TooManyAttempts:
            report(SecurityEvent.THROTTLED, None, address=address)
            raise

    async def _valid(self, work: Work, token: str) -> tuple[PasswordLink, User]:
        """Return the link and its user. All problems have the same message."""
        link = await work.of(PasswordLinks).find(hash_of(token))
        user = None if link is None else await work.of(Users).get(link.user)
        if link is None or user is None or link.expires <= self._clock.now():
            raise Forbidden(_INVALID)
        if user.epoch != link.epoch or user.disabled or user.service:
            raise Forbidden(_INVALID)
        # The user may have been added to a group since, whose members others must not act for.
        if link.created_by != SYSTEM.user and await is_protected(work, user, replace(user, password_hash="")):
            raise Forbidden(_INVALID)
        return link, user


async def _allowed(work: Work, identity: Identity, user_id: str, user: User | None, graph: Graph) -> User:
    """Return the user, or refuse a link with which the caller could do more than by setting the password."""
    if user is None:
        raise Conflict(f"there is no user {user_id!r}")
    if user.service:
        raise Conflict("a service account has no password: create an API token for it")
    if user.disabled:
        raise Conflict("the user is disabled: enable the user first")
    if user.id == identity.user:
        raise Conflict("change your own password in the account menu")
    require_power_over(identity, expand(user.groups, graph), "the user has more permissions than you")
    if await requires_approval(work, user, replace(user, password_hash="")):
        raise Conflict(
            "changes of this user require the approval of a second administrator: set a password instead, which "
            "becomes a proposal"
        )
    return user


TOPIC = Topic(
    services=lambda parts: {
        "password_links": PasswordLinkService(
            parts.storage, parts.of(UserService), parts.passwords, parts.clock, hours=parts.config.password_links_hours
        )
    },
    routes=("password_links.routes",),
    on_removed={Kind.USER: lambda work, user: work.of(PasswordLinks).remove_of_user(user)},
    purges=(Purge(lambda work, _config: work.of(PasswordLinks).purge(work.now), "password links"),),
)
