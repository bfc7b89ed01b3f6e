"""The bytes that users store in the gateway, and the limit of each user."""

from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused


class Usage:
    """Counts the bytes of each owner. Code that stores something adds its bytes, and subtracts them at its removal."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._bytes: dict[str, int] = {}

    def of(self, owner: str) -> int:
        return self._bytes.get(owner, 0)

    def check(self, peer: Peer, owner: str, growth: int, domain: str) -> None:
        """Refuse a request by which an owner would store more than the limit; changes that free bytes are allowed.

        The platform's own peers limit themselves, and must work even if apps have used up everything.
        """
        if growth > 0 and self.of(owner) + growth > self.most and not peer.source.is_local:
            raise Refused(
                f"{domain}.errors.limits_exceeded",
                f"The contexts and activities of a user may have {self.most} bytes at most, and this would be "
                f"{self.of(owner) + growth}. Remove what is no longer needed",
            )

    def add(self, owner: str, count: int) -> None:
        """Add bytes; a negative number subtracts them."""
        left = self.of(owner) + count
        if left:
            self._bytes[owner] = left
        else:
            self._bytes.pop(owner, None)
