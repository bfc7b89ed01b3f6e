"""The configuration object that a new manager starts with."""

from collections.abc import Sequence

from rostrum.base.json_text import JsonObject
from rostrum.manager.config.document import nest
from rostrum.manager.config.options import OPTIONS


def starter_document(
    origin: str,
    secret: str,
    store: str,
    *,
    users: Sequence[str] = (),
    port: int | None = None,
    base: str | None = None,
) -> JsonObject:
    """Set everything a first start needs; ``users`` are ``user-id:password``."""
    default = {name: info.default for name, info in OPTIONS.items()}
    return nest(
        {
            "port": default["port"] if port is None else port,
            "base": default["base"] if base is None else base,
            "store": store,
            "auth_method": OPTIONS["auth_method"].example,
            "predefined_users": list(users),
            "session_lifetime": default["session_lifetime"],
            "use_session_cookie": default["use_session_cookie"],
            "cors": {"credentials": True, "origin": origin},
            "token_secret": secret,
        }
    )
