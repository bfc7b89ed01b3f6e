"""Callers: who the peers of the gateway are that call the platform."""

from typing import Any

from rostrum.base.signal import Signal
from rostrum.gateway import LocalPeer

__all__ = ["Callers"]


class Callers:
    """The apps behind the peers that the platform sees.

    Attributes:
        gone: Emitted with the id of each peer that has left.

    """

    def __init__(self, peer: LocalPeer) -> None:
        """Listen to the platform's own peer from the first visitor on."""
        self.gone: Signal[str] = Signal()
        self._applications: dict[str, str] = {}
        peer.listen("agm", "peer-added", self._came)
        peer.listen("agm", "peer-removed", self._left)

    def application(self, peer: str) -> str:
        """Return the name under which a peer has logged in; empty when it gave none."""
        return self._applications.get(peer, "")

    def _came(self, frame: dict[str, Any]) -> None:
        identity = frame.get("identity") or {}
        self._applications[frame["new_peer_id"]] = str(identity.get("application") or "")

    def _left(self, frame: dict[str, Any]) -> None:
        self._applications.pop(frame["removed_id"], None)
        self.gone.emit(frame["removed_id"])
