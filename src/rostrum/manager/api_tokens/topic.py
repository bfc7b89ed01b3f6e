"""API tokens: credentials of programs that act for a user or a service account.

Owners create them, or administrators for a service account; both can revoke them.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select, update

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.api_tokens import NewApiToken
from rostrum.manager.access.identity import SYSTEM, Identity, TokenUse
from rostrum.manager.access.permissions import ADMIN_GROUP, RIGHT_GROUPS, Permission
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.approval.rules import refuse_credentials_of_members
from rostrum.manager.audiences import EventKind
from rostrum.manager.auth.schemes import API_TOKEN_PREFIX
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Forbidden, NotFound, found
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.records import NAMES, SECRET, Records, described, listing, stored_as
from rostrum.manager.storage import Storage, Work
from rostrum.manager.topic import Purge, Topic
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

_TEXT = re.compile(rf"{API_TOKEN_PREFIX}([0-9a-f]{{20}})_([A-Za-z0-9_-]{{43}})")
_ID_BYTES = 10
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """An API token.

    Attributes:
        key_hash: The hash of the secret part, which is not stored.
        user: The owner: a user or a service account.
        permissions: The groups whose rights the token has, as far as the owner has them too.
        last_used: The time of a recent request with the token, exact to a minute.

    """

    id: str
    key_hash: str = field(repr=False, metadata=SECRET)
    user: str = field(
        metadata=stored_as("user_id") | described("The owner: the token never has more rights than this user.")
    )
    name: str
    permissions: tuple[str, ...] = field(metadata=NAMES)
    created: datetime
    created_by: str
    expires: datetime
    last_used: datetime | None = field(
        default=None, metadata=described("Time of a recent request with the token, exact to a minute.")
    )

    @property
    def use(self) -> TokenUse:
        """The part of the token that the identity of a request contains."""
        return TokenUse(id=self.id, name=self.name, rights=frozenset(self.permissions))

    def has_secret(self, secret: str) -> bool:
        """Return whether this is the secret part, in a time that does not depend on it."""
        return hmac.compare_digest(self.key_hash, hash_of(secret))


def new_token_id() -> str:
    """Return a random ID without an underscore, which ends the ID in the text of a token."""
    return secrets.token_hex(_ID_BYTES)


def new_secret() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_of(secret: str) -> str:
    # The secret is random and long, so a fast hash is sufficient.
    return hashlib.sha256(secret.encode()).hexdigest()


def text_of(token: ApiToken, secret: str) -> str:
    """Return the text that a program sends."""
    return f"{API_TOKEN_PREFIX}{token.id}_{secret}"


def parse(text: str) -> tuple[str, str] | None:
    """Return the ID and the secret part of a token."""
    found = _TEXT.fullmatch(text)
    return None if found is None else (found[1], found[2])


LAST_USE_EVERY = timedelta(minutes=1)
"""Minimum interval between two writes of the last use of a token, so that requests stay cheap."""

_EXPIRED_TOKENS_SHOWN = timedelta(days=30)
"""How long expired tokens remain in lists, so that their owners see why programs are refused."""

_TOKEN = tables.api_tokens.c
_UNCOUNTED = {TOPIC_OPTION: None}
"""For changes that do not invalidate cached results."""


class ApiTokens(Records[ApiToken]):
    """The API tokens of one transaction."""

    kind = Kind.API_TOKEN
    table = tables.api_tokens
    record = ApiToken
    listing = listing(ApiToken, tables.api_tokens, "name", "user")
    audited = ("user", "name", "permissions", "expires")
    options = _UNCOUNTED

    async def makers(self, user: str) -> frozenset[str]:
        """Return the users who have made tokens of a user."""
        statement = select(_TOKEN.created_by).where(_TOKEN.user_id == user).distinct()
        return frozenset((await self._connection.scalars(statement)).all())

    async def owners(self, token_ids: Sequence[str]) -> dict[str, str]:
        """Read the owners of several tokens, by the IDs of the tokens."""
        statement = select(_TOKEN.id, _TOKEN.user_id).where(_TOKEN.id.in_(list(token_ids)))
        return {row.id: row.user_id for row in await self._connection.execute(statement)}

    async def record_use(self, token_id: str, now: datetime) -> None:
        """Write the time of a request, unless this or another node has done so within the last minute."""
        is_old = or_(_TOKEN.last_used.is_(None), _TOKEN.last_used <= now - LAST_USE_EVERY)
        statement = update(tables.api_tokens).where(_TOKEN.id == token_id, is_old).values(last_used=now)
        await self._connection.execute(statement, execution_options=_UNCOUNTED)

    async def remove_where(self, *which: ColumnElement[bool]) -> int:
        """Revoke tokens. Event streams that were opened with them end."""
        for token in await self.find(*which):
            self._journal.announce(EventKind.ACCESS, token.user)
        return await super().remove_where(*which)

    async def purge(self, before: datetime) -> int:
        """Delete tokens that expired before a time, and return their number."""
        # Nobody is accepted with them, so no cached result changes.
        statement = delete(tables.api_tokens).where(_TOKEN.expires < before)
        return (await self._connection.execute(statement, execution_options=_UNCOUNTED)).rowcount


_MOST = 100
"""The maximum number of tokens of one owner; the owner must be able to review all of them."""


class ApiTokenService:
    """The API tokens of all users and service accounts."""

    def __init__(self, storage: Storage, *, max_days: int) -> None:
        """Refuse tokens that live longer than a number of days."""
        self._storage = storage
        self._max_days = max_days

    async def create(self, identity: Identity, owner: str, body: NewApiToken) -> tuple[ApiToken, str]:
        """Create a token, and return its text; only the hash of the secret part is stored."""
        if identity.token is not None:
            raise Forbidden("API tokens cannot create API tokens: sign in with a password")
        if owner != identity.user:
            require(identity, Permission.USERS_WRITE)
        if body.expires_in_days > self._max_days:
            message = f"must not be more than {self._max_days}, the value of the setting apiTokens.maxDays"
            raise Invalid("the token would be valid for too long", [Problem(path="expiresInDays", message=message)])
        secret = new_secret()
        async with self._storage.write(identity.user) as work:
            user = await work.of(Users).get(owner)
            if user is None:
                raise Invalid("unknown user", [Problem(path="user", message=f"there is no user {owner!r}")])
            if owner != identity.user:
                await refuse_credentials_of_members(work, user)
            rights = await _rights_over(work, identity, user)
            _check_permissions(rights, body.permissions)
            if await work.of(ApiTokens).count(_TOKEN.user_id == owner, _TOKEN.name == body.name):
                raise Conflict(f"the user {owner!r} has an API token with the name {body.name!r} already")
            if await work.of(ApiTokens).count(_TOKEN.user_id == owner) >= _MOST:
                raise Conflict(f"the user {owner!r} has {_MOST} API tokens already: revoke those that are not used")
            token = ApiToken(
                id=new_token_id(),
                key_hash=hash_of(secret),
                user=owner,
                name=body.name,
                permissions=tuple(sorted(set(body.permissions))),
                created=work.now,
                created_by=identity.user,
                expires=work.now + timedelta(days=body.expires_in_days),
            )
            await work.of(ApiTokens).add(token)
        report(SecurityEvent.API_TOKEN_MADE, owner, actor=identity.user)
        return token, text_of(token, secret)

    async def page(self, identity: Identity, query: Query) -> Page[ApiToken]:
        """List the tokens of all users."""
        require(identity, Permission.USERS_READ)
        async with self._storage.read() as work:
            return await work.of(ApiTokens).page(query)

    async def own(self, identity: Identity, query: Query) -> Page[ApiToken]:
        """List the caller's tokens."""
        async with self._storage.read() as work:
            return await work.of(ApiTokens).page(query, _TOKEN.user_id == identity.user)

    async def revoke(self, identity: Identity, token_id: str) -> None:
        """Revoke a token of another user; callers must have the rights of the owner."""
        require(identity, Permission.USERS_WRITE)
        async with self._storage.write(identity.user) as work:
            token = found(await work.of(ApiTokens).get(token_id), "API token", token_id)
            refused = await refused_revocations(work, identity, [token])
            if refused:
                raise Forbidden(refused[token_id])
            await work.of(ApiTokens).remove(token_id)
        report(SecurityEvent.API_TOKEN_REVOKED, token.user, actor=identity.user)

    async def revoke_own(self, identity: Identity, token_id: str) -> None:
        """Revoke a token of the caller; tokens of others do not exist for the caller."""
        async with self._storage.write(identity.user) as work:
            token = await work.of(ApiTokens).get(token_id)
            if token is None or token.user != identity.user:
                raise NotFound("API token", token_id)
            await work.of(ApiTokens).remove(token_id)
        report(SecurityEvent.API_TOKEN_REVOKED, token.user)


async def refused_revocations(work: Work, identity: Identity, tokens: Iterable[ApiToken]) -> dict[str, str]:
    """Return why the caller cannot revoke some tokens, by their IDs: the owner has more rights."""
    graph = {} if identity.is_admin else await work.of(Groups).graph()
    refused = {}
    for token in tokens:
        groups = () if identity.is_admin else expand(await work.of(Users).groups_of(token.user), graph)
        try:
            require_power_over(identity, groups, "the token belongs to a user who has more rights")
        except Forbidden as error:
            refused[token.id] = str(error)
    return refused


async def _rights_over(work: Work, identity: Identity, owner: User) -> Identity:
    """Return the owner's rights, if the caller can create tokens for the owner."""
    groups = expand(owner.groups, await work.of(Groups).graph())
    if owner.id != identity.user and identity is not SYSTEM:
        if not owner.service:
            # The caller could act in the name of this person.
            raise Forbidden("tokens of other users can only be created for service accounts")
        require_power_over(identity, groups, "the service account has more rights")
    return Identity.of(owner.id, groups)


def _check_permissions(owner: Identity, permissions: list[str]) -> None:
    problems = []
    for number, name in enumerate(permissions):
        if name not in RIGHT_GROUPS:
            problems.append(Problem(path=f"permissions[{number}]", message="there is no such permission"))
        elif not (owner.is_admin if name == ADMIN_GROUP else Permission(name) in owner.permissions):
            message = f"the user {owner.user!r} does not have this permission"
            problems.append(Problem(path=f"permissions[{number}]", message=message))
    if problems:
        raise Invalid("a token cannot have more permissions than its owner", problems)


TOPIC = Topic(
    services=lambda parts: {"api_tokens": ApiTokenService(parts.storage, max_days=parts.config.api_tokens_max_days)},
    routes=("api_tokens.routes",),
    repositories={Kind.API_TOKEN: ApiTokens},
    on_removed={Kind.USER: lambda work, user: work.of(ApiTokens).remove_where(_TOKEN.user_id == user)},
    revoke_credentials=lambda work, user: work.of(ApiTokens).remove_where(_TOKEN.user_id == user),
    purges=(
        Purge(
            lambda work, _config: work.of(ApiTokens).purge(work.now - _EXPIRED_TOKENS_SHOWN),
            "API tokens",
            Kind.API_TOKEN,
        ),
    ),
)
