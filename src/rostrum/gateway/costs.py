"""What the messages of one user cost the gateway, and when further ones must wait."""

from collections.abc import Callable

SMALL = 4096
"""Messages up to this size are limited by their number in a turn only."""
MESSAGE, FRAME, CONTROL = 2048, 1024, 128
"""The cost of a received message, of a sent frame, and of a received control frame or fragment, in bytes."""
TURN = 256 * 1024
"""The cost of one user in one turn of the event loop; further messages wait for the next turn."""
INPUT_FACTOR = 4
"""A received byte costs more than a sent one: it is checked and decoded several times."""


class Costs:
    """The costs of one user, in bytes times receivers.

    The byte budget is a token bucket: it is refilled continuously, and messages wait while it is overdrawn.

    Attributes:
        turn: The turn of the event loop in which ``room`` was last renewed.
        room: What the user may still cause before it is renewed. Below zero, messages wait: for the next turn, or for
            one of the other budgets. Small messages check only this number.
        left: The rest of the byte budget; below zero if it is overdrawn.
        held: Bytes of messages that a service is still processing.
    """

    __slots__ = ("_at", "_burst", "_monotonic", "_most_held", "_rate", "held", "left", "room", "turn")

    def __init__(self, rate: int, burst: int, most_held: int, monotonic: Callable[[], float]) -> None:
        """Start with a full budget of ``burst`` bytes, refilled with ``rate`` bytes per second."""
        self._rate = rate
        self._burst = burst
        self._most_held = most_held
        self._monotonic = monotonic
        self._at = monotonic()
        self.left = float(burst)
        self.turn = 0
        self.room = TURN
        self.held = 0

    def renew(self) -> None:
        """Give the user the budget of a new turn, unless another budget is used up."""
        if self.left < 0:
            self._refill()
        self.room = -1 if self.left < 0 or self.is_held else TURN

    def received(self, size: int) -> None:
        """Count a received message."""
        self.room -= size + MESSAGE
        if size > SMALL:
            self._take(size * INPUT_FACTOR)

    def sent(self, size: int, receivers: int) -> None:
        """Count a message to a number of receivers."""
        self.room -= (size + FRAME) * receivers
        if size > SMALL:
            self._take(size * receivers)

    def hold(self, size: int) -> None:
        """Count a message that a service begins to process."""
        self.held += size
        if self.is_held:
            self.room = -1

    def release(self, size: int) -> None:
        """Count a message that a service has processed."""
        self.held -= size

    def _take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            self.room = -1

    @property
    def delay(self) -> float:
        """Return the seconds until a message may be processed; 0 if only this turn is exhausted."""
        if self.left < 0:
            self._refill()
        return max(0.0, -self.left / self._rate)

    @property
    def is_held(self) -> bool:
        """Return whether services must process messages first."""
        return self.held > self._most_held

    @property
    def must_wait(self) -> bool:
        """Return whether further messages must wait."""
        return self.room < 0

    @property
    def is_full(self) -> bool:
        """Return whether the byte budget is unused."""
        self._refill()
        return self.left >= self._burst

    def _refill(self) -> None:
        now = self._monotonic()
        self.left = min(self._burst, self.left + (now - self._at) * self._rate)
        self._at = now


class UserCosts:
    """The costs of the users with connected peers."""

    def __init__(self, make: Callable[[], Costs]) -> None:
        self._make = make
        self._costs: dict[str, Costs] = {}

    def of(self, user: str) -> Costs:
        """Return the costs of a user."""
        costs = self._costs.get(user)
        if costs is None:
            costs = self._costs[user] = self._make()
        return costs

    def forget_idle(self, is_connected: Callable[[str], bool]) -> None:
        """Forget users without peers; a user who reconnects must not get rid of an overdrawn budget."""
        for user, costs in list(self._costs.items()):
            if not is_connected(user) and not costs.held and costs.is_full:
                del self._costs[user]
