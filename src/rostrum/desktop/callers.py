"""The verified identities of the peers that call the platform."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.gateway import Gateway, LocalPeer
from rostrum.gateway.local.methods import RemoteMethod

EXTERNAL_IDENTITY = {"external": True}
"""Overrides the identity of each peer that the platform did not start, so that other apps can recognize it."""
RESERVED_METHODS = "Rostrum."
"""Prefix of the platform's methods: no app may register such a method and receive calls to the platform."""
SHARED_METHODS = ("T42.Search.", "T42.Workspaces.", "Tick42.")
"""Names that both apps and the platform register, as client libraries expect. All other names of the platform's methods
are reserved.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The app that made a call, as started by the platform; the identity that the peer sends is ignored.

    Attributes:
        peer: The peer that calls.
        application: Its name; None for a program that was started outside the platform, which has no permissions of an
            app.
        instance: The running instance.
    """

    peer: str
    application: str | None = None
    instance: str | None = None


@dataclass(frozen=True, slots=True)
class JoinedPeer:
    """A peer that has joined, with the identity that other peers see."""

    id: str
    identity: Mapping[str, Any]


class Callers:
    """The apps of the peers that the platform can see.

    Attributes:
        joined: Emitted with each peer that has joined, and whose methods can be called.
        gone: Emitted with the id of each peer that has left.
    """

    def __init__(self, gateway: Gateway, peer: LocalPeer) -> None:
        self.joined: Signal[JoinedPeer] = Signal()
        self.gone: Signal[str] = Signal()
        self._gateway = gateway
        self._peer = peer
        peer.listen("agm", "peer-added", self._came)
        peer.listen("agm", "peer-removed", self._left)

    def of(self, peer: str) -> Caller:
        """Return the app of a peer."""
        binding = self._gateway.binding_of(peer)
        if binding is None:
            return Caller(peer=peer)
        return Caller(peer=peer, application=binding.application, instance=binding.instance)

    def method(self, peer: str, name: str) -> RemoteMethod:
        """Find a method that the calling peer itself has registered: the platform calls no other peer on its behalf."""
        for method in self._peer.methods.known:
            if (method.server, method.name) == (peer, name):
                return method
        raise DesktopError(f"the app has no method {name!r}")

    def invoke_as(self, peer: str, method: RemoteMethod, arguments: Mapping[str, Any]) -> None:
        """Call a method in the name of a peer; raise CallFailed if the peer may not call it."""
        self._gateway.invoke_as(peer, method, arguments)

    def _came(self, frame: dict[str, Any]) -> None:
        self.joined.emit(JoinedPeer(frame["new_peer_id"], frame.get("identity") or {}))

    def _left(self, frame: dict[str, Any]) -> None:
        self.gone.emit(frame["removed_id"])
