"""The active bindings of a gateway, and their one-time tokens."""

import secrets
from dataclasses import dataclass

from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.gateway.peer import Binding
from rostrum.gateway.tokens import BadToken

FIRST_USE_WITHIN = 120.0
"""Seconds in which a one-time token must be used; a native app may take this long to connect."""
RECONNECT_WITHIN = 60.0
"""Seconds in which the program that used a one-time token may reconnect after its connection was lost."""


@dataclass(slots=True)
class _OneTimeToken:
    """A token that opens one connection at a time.

    Attributes:
        until: When it expires, unless a peer is connected with it.
        holder: The peer that is connected with it.
    """

    binding: str
    until: float
    holder: str | None = None


class Bindings:
    """The active bindings. They are kept in memory only and end with the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._bindings: dict[str, Binding] = {}
        self._tokens: dict[str, _OneTimeToken] = {}
        self._held: dict[str, _OneTimeToken] = {}

    def bind(self, user: str, application: str, *, instance: str | None = None, window: str | None = None) -> Binding:
        """Create a binding, which lasts until it is ended."""
        binding = Binding(id=new_id(), user=user, application=application, instance=instance, window=window)
        self._bindings[binding.id] = binding
        return binding

    def end(self, binding: Binding) -> None:
        """End a binding: its tokens become invalid, and its peers are no longer verified."""
        self._bindings.pop(binding.id, None)
        self._tokens = {text: one for text, one in self._tokens.items() if one.binding != binding.id}
        self._held = {peer: one for peer, one in self._held.items() if one.binding != binding.id}

    def get(self, binding_id: str) -> Binding:
        """Return the binding that a token names; raise BadToken if it has ended."""
        binding = self._bindings.get(binding_id)
        if binding is None:
            raise BadToken("The app instance that the token was issued for has ended")
        return binding

    def is_current(self, binding: Binding) -> bool:
        return binding.id in self._bindings

    def one_time_token(self, binding: Binding) -> str:
        """Create a token that must be used soon, and by one connection at a time."""
        now = self._clock.monotonic()
        self._tokens = {text: one for text, one in self._tokens.items() if one.holder is not None or one.until > now}
        text = secrets.token_urlsafe(32)
        self._tokens[text] = _OneTimeToken(binding.id, now + FIRST_USE_WITHIN)
        return text

    def is_one_time(self, token: str | None) -> bool:
        """Return whether a token was made here, used or not."""
        return token in self._tokens

    def check(self, token: str) -> Binding:
        """Return the binding of a one-time token; raise BadToken if it is in use or has expired."""
        found = self._tokens[token]
        if found.holder is not None:
            raise BadToken("The token was used already: it opens one connection")
        if found.until <= self._clock.monotonic():
            raise BadToken("The token has expired")
        return self.get(found.binding)

    def take(self, token: str, peer_id: str) -> None:
        """Record which peer has signed in with a one-time token."""
        found = self._tokens.get(token)
        if found is not None:
            found.holder = peer_id
            self._held[peer_id] = found

    def release(self, peer_id: str) -> None:
        """Record that a peer has disconnected; client libraries send the same token when they reconnect."""
        found = self._held.pop(peer_id, None)
        if found is not None:
            found.holder = None
            found.until = self._clock.monotonic() + RECONNECT_WITHIN
