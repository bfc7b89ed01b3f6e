"""The sign-in methods of the manager. A new method is a module here and its line in ``sign_in_methods``."""

from rostrum.base.clock import Clock
from rostrum.base.passwords import Passwords
from rostrum.base.throttle import Throttle
from rostrum.manager.auth.authenticator import SignInMethod
from rostrum.manager.auth.callers import Callers
from rostrum.manager.auth.methods.basic import CHALLENGE, PAGE_CHALLENGE, SCHEME, BasicMethod, brings_password
from rostrum.manager.auth.methods.session import SessionMethod
from rostrum.manager.auth.methods.token import TokenMethod
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.storage import Storage

__all__ = ["CHALLENGE", "HTTP_SCHEMES", "PAGE_CHALLENGE", "brings_password", "sign_in_methods"]

HTTP_SCHEMES = (SCHEME,)
"""The HTTP authentication schemes in the OpenAPI document, in addition to session cookie and token."""


def sign_in_methods(storage: Storage, tokens: Tokens, passwords: Passwords, clock: Clock) -> tuple[SignInMethod, ...]:
    callers = Callers()
    # Known addresses of accounts are stored in the database, for all nodes.
    throttle = Throttle(clock, remembers_pairs=False)
    return (
        BasicMethod(storage, callers, tokens, passwords, clock=clock, throttle=throttle),
        TokenMethod(storage, callers, clock, throttle),
        SessionMethod(storage, callers, tokens, clock),
    )
