"""API tokens."""

from datetime import timedelta

from rostrum.manager.api_tokens.repository import ApiTokens
from rostrum.manager.api_tokens.service import ApiTokenService
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Purge, Topic

_EXPIRED_TOKENS_SHOWN = timedelta(days=30)
"""How long expired tokens remain in lists, so that their owners see why programs are refused."""

TOPIC = Topic(
    services=lambda parts: {"api_tokens": ApiTokenService(parts.storage, max_days=parts.config.api_tokens_max_days)},
    routes=("api_tokens.routes",),
    repositories={Kind.API_TOKEN: ApiTokens},
    on_removed={Kind.USER: lambda work, user: work.of(ApiTokens).remove_of_user(user)},
    revoke_credentials=lambda work, user: work.of(ApiTokens).remove_of_user(user),
    purges=(
        Purge(
            lambda work, _config: work.of(ApiTokens).purge(work.now - _EXPIRED_TOKENS_SHOWN),
            "API tokens",
            Kind.API_TOKEN,
        ),
    ),
)
