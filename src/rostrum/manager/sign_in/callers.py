"""Creates the caller, as routes and services see it, from a signed-in user."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from rostrum.manager.access.identity import SYSTEM, Identity, TokenUse
from rostrum.manager.api_tokens.topic import ApiTokens
from rostrum.manager.auth.caller import Caller, Method
from rostrum.manager.auth.tokens import Claims, Use
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.errors import Forbidden
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.rollouts.model import Cohort
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import Login
from rostrum.manager.users.repository import Users

_MOST_EXPANDED = 5_000


class Callers:
    """Creates callers; effective groups are calculated once for each revision."""

    def __init__(self) -> None:
        # The inheritance of groups at a revision; valid until the next write.
        self._graph: tuple[int, Mapping[str, tuple[str, ...]]] = (-1, {})
        # Thousands of users have the same groups, so each set is calculated and stored once.
        self._expanded: dict[tuple[str, ...], Identity] = {}
        # The roll-outs at a revision; read only while there is one.
        self._rollouts: tuple[int, tuple[Cohort, ...]] = (-1, ())

    async def build(
        self, work: Work, login: Login, method: Method, claims: Claims | None = None, token: TokenUse | None = None
    ) -> Caller:
        """Create the caller; with an API token, the caller's rights are limited to those of the token."""
        revision, graph = self._graph
        if revision != login.revision:
            graph = await work.of(Groups).graph()
            self._graph = (login.revision, graph)
            self._expanded.clear()
        if login.groups not in self._expanded:
            if len(self._expanded) >= _MOST_EXPANDED:
                self._expanded.clear()
            self._expanded[login.groups] = Identity.of("", expand(login.groups, graph))
        identity = replace(self._expanded[login.groups], user=login.user)
        if token is not None:
            identity = identity.limited_to(token)
        owned = {ContentTopic.APPS: login.has_apps, ContentTopic.CONFIGS: login.has_configs}
        return Caller(
            identity=identity,
            method=method,
            epoch=login.epoch,
            claims=claims,
            personal=frozenset(topic for topic, is_owned in owned.items() if is_owned),
            candidates=await self._candidates(work, login, identity) if login.has_rollouts else frozenset(),
        )

    async def _candidates(self, work: Work, login: Login, identity: Identity) -> frozenset[str]:
        if self._rollouts[0] != login.revision:
            self._rollouts = (login.revision, await work.of(Rollouts).cohorts())
        return frozenset(each.id for each in self._rollouts[1] if each.includes(identity.user, identity.groups))


async def current_login(work: Work, user_id: str, epoch: int, claims: Claims | None) -> Login | None:
    """Read the data of a user, unless the credentials were revoked in the meantime."""
    login = await work.of(Users).login(user_id, claims.family if claims else "")
    if login is None or login.disabled or login.is_revoked or login.epoch != epoch:
        return None
    if claims is not None and claims.session is not None and not await is_session_open(work, claims.session):
        return None
    if claims is not None and claims.use is Use.API and await work.of(ApiTokens).get(claims.family) is None:
        return None
    return login


async def is_same_account(work: Work, user: str, since: datetime) -> bool:
    """Return whether the user existed at a time: an account that was created later with the same ID is another one."""
    found = await work.of(Users).get(user)
    return found is not None and found.stamp.created <= since


async def current_identity(work: Work, user: str, token_id: str | None, since: datetime | None = None) -> Identity:
    """Return a user with the current permissions, for work that continues after the request that started it.

    Work that was started with an API token is limited to the permissions of the token, and ends with the token. With
    the time at which work was started, it also ends with the account that started it.
    """
    if user == SYSTEM.user:
        return SYSTEM
    if since is not None and not await is_same_account(work, user, since):
        raise Forbidden(f"the account {user!r} that started this was deleted")
    login = await work.of(Users).login(user)
    if login is None or login.disabled:
        raise Forbidden(f"the user {user!r} can no longer sign in")
    identity = Identity.of(user, expand(login.groups, await work.of(Groups).graph()))
    if token_id is None:
        return identity
    token = await work.of(ApiTokens).get(token_id)
    if token is None or token.user != user or token.expires <= work.now:
        raise Forbidden("the API token was revoked, or has expired")
    return identity.limited_to(token.use)


async def is_still_let_in(storage: Storage, caller: Caller, session: str | None = None) -> bool:
    """Return whether an earlier caller would still be accepted, and whether the client session is still open."""
    async with storage.read() as work:
        if await current_login(work, caller.identity.user, caller.epoch, caller.claims) is None:
            return False
        return session is None or await is_session_open(work, session)


async def is_session_open(work: Work, session_id: str) -> bool:
    session = await work.of(Sessions).get(session_id)
    return session is not None and session.ended is None


async def record_confirmation(storage: Storage, user: str) -> None:
    """Add an audit entry for a user who has confirmed the own identity."""
    async with storage.note(user) as work:
        work.journal.noted(Kind.LOGIN, user, Action.CREATED)
