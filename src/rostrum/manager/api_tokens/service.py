"""API tokens: created by their owner, or by an administrator for a service account; revoked by both."""

from collections.abc import Iterable
from datetime import timedelta

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.api_tokens import NewApiToken
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, RIGHT_GROUPS, Permission
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.api_tokens.model import ApiToken, hash_of, new_secret, new_token_id, text_of
from rostrum.manager.api_tokens.repository import ApiTokens
from rostrum.manager.approval.rules import refuse_credentials_of_members
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Forbidden, NotFound, found
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

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
            if await work.of(ApiTokens).has_name(owner, body.name):
                raise Conflict(f"the user {owner!r} has an API token with the name {body.name!r} already")
            if await work.of(ApiTokens).count(owner) >= _MOST:
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
            return await work.of(ApiTokens).page(query, identity.user)

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
