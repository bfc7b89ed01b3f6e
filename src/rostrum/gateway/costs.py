"""What the messages of one user cost the gateway, and when further ones must wait."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

C = TypeVar("C")

SMALL = 4096
"""Messages up to this size are limited by their number in a turn only."""
MESSAGE, FRAME, CONTROL, RESUMED = 2048, 1024, 1024, 16 * 1024
"""The cost of a received message, of a sent frame, of a received control frame or fragment, and of reading again from a
connection, in bytes."""
ALONE, SHARED = 256 * 1024, 64 * 1024
"""The cost of one user in one turn of the event loop, without and with other users; about a quarter of a millisecond.
Further messages wait for the next turn."""
_WORK_FACTOR = 10
INPUT_FACTOR = 4
"""A received byte costs more than a sent one: it is checked and decoded several times."""
SIGN_IN = 512 * 1024
"""The cost of a sign-in, in bytes."""
MOST_READ, MOST_SHARED_READ, LEAST_READ = 16 * 1024, 4096, 256
"""Bytes that are read at once: without other users; with other users; and if these contain very many frames. The
WebSocket library handles all frames in them without interruption."""
_MORE_READ = 64
"""How much more is read in each further turn after that."""
_MOST_BEYOND = 64 * 1024
"""The cost beyond a turn above which less is read at once."""
_REST, _REST_PER_BYTE = 4, 16e-9
"""With other users, a user pauses after each step of large messages for this many times as long as the step took, and
after a turn with very many frames for about the same share, so that a message of another user waits for one step or
turn at most."""
MOST_BUFFERED = 8 * 1024 * 1024
"""Bytes of messages that are not processed yet, above which one connection of the user at a time receives more than a
small message."""
_MOST_QUEUED = 4 * 1024 * 1024
"""Bytes that wait to be written, above which services send nothing more to the user."""


class Slice:
    """How much each user may cause in one turn.

    Attributes:
        size: The cost, in bytes times receivers.
    """

    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = ALONE

    @property
    def is_shared(self) -> bool:
        """Return whether several users are connected."""
        return self.size == SHARED


class OneByOne(Generic[C]):
    """Connections of which one at a time may continue."""

    __slots__ = ("_waiting", "holder")

    def __init__(self) -> None:
        self.holder: C | None = None
        self._waiting: dict[C, None] = {}

    def __len__(self) -> int:
        return len(self._waiting) + (self.holder is not None)

    def enter(self, one: C) -> bool:
        """Return whether it may continue; if not, it waits for its turn."""
        if self.holder is None:
            self.holder = one
        elif self.holder is not one:
            self._waiting[one] = None
        return self.holder is one

    def leave(self, one: C) -> C | None:
        """Let another one continue, and return it."""
        self._waiting.pop(one, None)
        if self.holder is not one:
            return None
        self.holder = next(iter(self._waiting), None)
        if self.holder is not None:
            del self._waiting[self.holder]
        return self.holder


class Costs:
    """The costs of one user, in bytes times receivers.

    The byte budget is a token bucket: it is refilled continuously, and messages wait while it is overdrawn.

    Attributes:
        turn: The turn of the event loop in which ``room`` was last renewed.
        room: What the user may still cause before it is renewed. Below zero, messages wait: for the next turn, or for
            one of the other budgets. Small messages check only this number.
        left: The rest of the byte budget; below zero if it is overdrawn.
        held: Bytes of messages that a service is still processing.
        is_working: Whether the gateway continues long work for the user in later turns; messages wait until it ends.
        buffered: Bytes of messages that have arrived, perhaps in part, and are not processed yet.
        unread: Bytes that wait for connections whose clients do not read.
        large: The connection that receives a large message; others wait, so that the messages do not add up.
        slice: How much each user may cause in one turn.
        queued: Bytes that wait to be written to clients that read.
        most_read: Bytes that are read at once while other users are connected.
    """

    __slots__ = (
        "_at",
        "_burst",
        "_counted",
        "_monotonic",
        "_most_held",
        "_rate",
        "_rests_until",
        "buffered",
        "held",
        "is_working",
        "large",
        "left",
        "most_read",
        "queued",
        "room",
        "slice",
        "turn",
        "unread",
    )

    def __init__(
        self, rate: int, burst: int, most_held: int, monotonic: Callable[[], float], size: Slice | None = None
    ) -> None:
        """Start with a full budget of ``burst`` bytes, refilled with ``rate`` bytes per second."""
        self.slice = size or Slice()
        self.buffered = 0
        self.unread = 0
        self.queued = 0
        self.most_read = MOST_SHARED_READ
        self.large: OneByOne[Any] = OneByOne()
        self._rate = rate
        self._burst = burst
        self._most_held = most_held
        self._monotonic = monotonic
        self._at = monotonic()
        self._counted = 0
        self._rests_until = 0.0
        self.left = float(burst)
        self.turn = 0
        self.room = self.slice.size
        self.held = 0
        self.is_working = False

    def renew(self) -> None:
        """Give the user the budget of a new turn, unless another budget is used up."""
        if self.slice.is_shared:
            self._count_beyond(-self.room - self._counted)
        self._counted = 0
        self.room = -1 if self.delay or self.is_held else self.slice.size

    def _count_beyond(self, beyond: int) -> None:
        """Count small messages beyond the turn as time as well, so that a flood leaves time for others."""
        if beyond > 0:
            self.left -= beyond
        # Very many frames can be in what was read at once.
        if beyond > _MOST_BEYOND:
            self.read_less()
        elif self.most_read < MOST_SHARED_READ:
            self.most_read += _MORE_READ
        # A turn in which the user only waited ends with one.
        if beyond > 1 and self.most_read < MOST_SHARED_READ:
            self._rests_until = self._monotonic() + (beyond + self.slice.size) * _REST_PER_BYTE

    def read_less(self) -> None:
        """Read less at once: what was read contained very many frames."""
        self.most_read = max(LEAST_READ, self.most_read // 2)

    def received(self, size: int) -> None:
        """Count a received message."""
        self.room -= size + MESSAGE
        if size > SMALL:
            self._counted += size
            self._take(size * INPUT_FACTOR)

    def sent(self, size: int, receivers: int) -> None:
        """Count a message to a number of receivers."""
        self.room -= (size + FRAME) * receivers
        if size > SMALL:
            self._counted += size * receivers
            self._take(size * receivers)

    def worked(self, seconds: float) -> None:
        """Count the time of a step of large messages: a user may cause a tenth of the time, in the long run."""
        if self.slice.is_shared:
            self._take(int(seconds * _WORK_FACTOR * self._rate))
            self._rests_until = self._monotonic() + _REST * seconds
            self.room = -1

    def signed_in(self) -> None:
        """Count a sign-in: new connections cost more than messages on existing ones."""
        if self.slice.is_shared:
            self._take(SIGN_IN)

    def begin_work(self) -> None:
        """Let messages wait until long work has ended."""
        self.is_working = True
        self.room = -1

    def end_work(self) -> None:
        """Let messages continue."""
        self.is_working = False

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
        if self.left >= 0 and not self._rests_until:
            return 0.0
        self._refill()
        rest = self._rests_until - self._at
        if rest <= 0:
            self._rests_until = rest = 0.0
        return max(rest, -self.left / self._rate)

    @property
    def is_behind(self) -> bool:
        """Return whether clients must read before services send more."""
        return self.queued > _MOST_QUEUED

    @property
    def is_held(self) -> bool:
        """Return whether messages must wait for services, for long work, or for clients that read what was sent."""
        return self.is_working or self.held > self._most_held or self.queued > _MOST_QUEUED

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

    def __init__(self, make: Callable[[Slice], Costs]) -> None:
        self._make = make
        self._slice = Slice()
        self._costs: dict[str, Costs] = {}

    def of(self, user: str) -> Costs:
        """Return the costs of a user."""
        costs = self._costs.get(user)
        if costs is None:
            costs = self._costs[user] = self._make(self._slice)
            self._divide()
        return costs

    def known(self, user: str) -> Costs | None:
        """Return the costs of a user; none if the user has caused none."""
        return self._costs.get(user)

    def forget_idle(self, is_connected: Callable[[str], bool]) -> None:
        """Forget users without peers; a user who reconnects must not get rid of an overdrawn budget."""
        for user, costs in list(self._costs.items()):
            if not is_connected(user) and not costs.held and not costs.is_working and costs.is_full:
                del self._costs[user]
        self._divide()

    def _divide(self) -> None:
        self._slice.size = ALONE if len(self._costs) < 2 else SHARED
