"""The sign-in methods of the manager. A new method is a module here and its line in ``sign_in_methods``."""

from rostrum.base.clock import Clock
from rostrum.base.passwords import Passwords
from rostrum.base.throttle import Throttle
from rostrum.manager.auth.authenticator import SignInMethod
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.sign_in.callers import Callers
from rostrum.manager.sign_in.methods.basic import BasicMethod
from rostrum.manager.sign_in.methods.session import SessionMethod
from rostrum.manager.sign_in.methods.token import TokenMethod
from rostrum.manager.storage import Storage

__all__ = ["sign_in_methods"]


def sign_in_methods(storage: Storage, tokens: Tokens, passwords: Passwords, clock: Clock) -> tuple[SignInMethod, ...]:
    callers = Callers()
    # Known addresses of accounts are stored in the database, for all nodes.
    throttle = Throttle(clock, remembers_pairs=False)
    return (
        BasicMethod(storage, callers, tokens, passwords, clock=clock, throttle=throttle),
        TokenMethod(storage, callers, clock, throttle),
        SessionMethod(storage, callers, tokens, clock),
    )
