"""Links for passwords: administrators create them, and users open them without being signed in."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

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
from rostrum.manager.errors import Conflict, Forbidden
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.password_links.model import LinkResult, PasswordLink, hash_of, new_token
from rostrum.manager.password_links.repository import PasswordLinks
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.endings import Endings
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import UserService, refuse_token, save_user

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
