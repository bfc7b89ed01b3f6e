"""Sign-in methods and the sessions of sign-ins."""

from collections.abc import Mapping
from datetime import timedelta

from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.kinds import Kind
from rostrum.manager.sign_in.repository import KnownAddresses, RevokedTokens
from rostrum.manager.sign_in.sessions import LoginSessions
from rostrum.manager.topic import ManagerParts, Purge, Topic

_CLOCKS_DIFFER = timedelta(days=2)
"""Additional time for which revoked tokens are recorded, in case a fast clock is corrected."""

_PAGE_TOKEN_SECONDS = 3600
"""Lifetime of a page's token without session cookies: the session lifetime has no effect then, and pages renew it."""


def _services(parts: ManagerParts) -> Mapping[str, object]:
    config = parts.config
    logins = LoginSessions(
        parts.storage,
        parts.tokens,
        client_token_seconds=config.token_expires_in,
        session_seconds=config.session_lifetime if config.use_session_cookie else _PAGE_TOKEN_SECONDS,
    )
    return {"logins": logins, "anonymous": AnonymousUploads(parts.clock, allowed=config.crashes_anonymous)}


TOPIC = Topic(
    services=_services,
    routes=("sign_in.routes",),
    on_removed={Kind.USER: lambda work, user: work.of(KnownAddresses).remove_of_user(user)},
    purges=(
        Purge(lambda work, _config: work.of(RevokedTokens).purge(work.now - _CLOCKS_DIFFER), "revoked tokens"),
        Purge(lambda work, _config: work.of(KnownAddresses).purge(work.now), "known addresses"),
    ),
)
