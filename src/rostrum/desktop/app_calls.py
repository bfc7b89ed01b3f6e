"""Calls from the platform to methods of apps."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Callers
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import RemoteMethod

_log = logging.getLogger(__name__)
ANSWER_WITHIN = 10.0
"""Time limit in seconds for calls from the platform to an app."""
_MOST_UNANSWERED = 100
"""Number of unanswered calls after which an app is not called any more."""


class AppCalls:
    """Finds and calls methods of apps, with a time limit.

    The name of a method does not identify its app: a call is always addressed to a peer, or to the peers that are bound
    to an instance.
    """

    def __init__(self, peer: LocalPeer, callers: Callers) -> None:
        self._peer = peer
        self._callers = callers
        self._unanswered: Counter[str] = Counter()
        self._background = BackgroundTasks("a call of an app failed")

    def of_peer(self, peer: str, name: str) -> tuple[RemoteMethod, ...]:
        """Return the method of one peer; empty if it does not have the method."""
        return tuple(one for one in self.of_everyone(name) if one.server == peer)

    def of_instance(self, instance: str, name: str) -> tuple[RemoteMethod, ...]:
        """Return the methods of the peers that are bound to an instance."""
        return tuple(one for one in self.of_everyone(name) if self._callers.of(one.server).instance == instance)

    def of_everyone(self, name: str) -> tuple[RemoteMethod, ...]:
        """Return the methods of this name, of all peers."""
        return tuple(one for one in self._peer.methods.known if one.name == name)

    async def ask(self, method: RemoteMethod, arguments: Mapping[str, Any], within: float = ANSWER_WITHIN) -> Any:
        """Call a method; return its result, or None after the time limit."""
        if self._unanswered[method.server] >= _MOST_UNANSWERED:
            _log.warning("%s is not called: its app has %d unanswered calls", method.name, _MOST_UNANSWERED)
            return None
        self._unanswered[method.server] += 1
        try:
            return await self._peer.methods.call(method, arguments, timeout_seconds=within)
        except RostrumError as error:
            _log.warning("%s did not answer: %s", method.name, error)
            return None
        finally:
            self._unanswered[method.server] -= 1
            if not self._unanswered[method.server]:
                del self._unanswered[method.server]

    def notify(self, methods: Iterable[RemoteMethod], arguments: Mapping[str, Any]) -> None:
        """Call methods without waiting for their results."""
        for method in methods:
            self._background.begin(self.ask(method, arguments))

    def notify_as(self, peer: str, methods: Iterable[RemoteMethod], arguments: Mapping[str, Any]) -> None:
        """Call methods in the name of the peer that has asked for it, unless it has left."""
        for method in methods:
            try:
                self._callers.invoke_as(peer, method, arguments)
            except RostrumError as error:
                _log.warning("%s was not called: %s", method.name, error)

    async def close(self) -> None:
        """Stop waiting for results."""
        await self._background.cancel()
