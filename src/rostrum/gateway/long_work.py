"""The work that takes several turns of the event loop, in order for each owner."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from rostrum.base.errors import Invalid
from rostrum.gateway.costs import Costs
from rostrum.gateway.pace import Pace, Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused
from rostrum.gateway.wire import Header

_NO_HEADER = Header()


class Work(NamedTuple):
    """Work, with the costs of its user, and the request that it answers, if any."""

    steps: Steps
    costs: Costs | None = None
    peer: Peer | None = None
    header: Header = _NO_HEADER


class LongWork:
    """The work of all owners: begun at once, and continued in later turns if it takes long."""

    def __init__(
        self,
        pace: Pace,
        deliver: Callable[[Costs | None], None],
        refuse: Callable[[Peer, Header, Exception], None],
        on_unfinished: Callable[[str], None],
    ) -> None:
        """Prepare; ``deliver`` sends what a step has produced, and ``refuse`` answers a request that has failed.

        ``on_unfinished`` is called with an owner whose work takes long.
        """
        self._pace = pace
        self._deliver = deliver
        self._refuse = refuse
        self._on_unfinished = on_unfinished
        self._unfinished: dict[str, deque[Work]] = {}

    def __contains__(self, owner: str) -> bool:
        """Return whether an owner has unfinished work."""
        return owner in self._unfinished

    def start(self, owner: str, work: Work) -> None:
        """Do work, or the beginning of it; earlier work of the owner comes first."""
        waiting = self._unfinished.get(owner)
        if waiting is not None:
            waiting.append(work)
        elif not self._is_finished(work):
            self._unfinished[owner] = deque((work,))
            self._on_unfinished(owner)

    def advance(self, owner: str) -> None:
        """Continue the work of an owner for a short time."""
        waiting = self._unfinished[owner]
        self._pace.begin()
        work = waiting[0]
        try:
            while self._is_finished(work):
                self._deliver(work.costs)
                waiting.popleft()
                if not waiting:
                    break
                work = waiting[0]
        except Exception:
            # The rest is not done again and again.
            waiting.popleft()
            raise
        finally:
            self._deliver(work.costs)
            if not waiting:
                del self._unfinished[owner]

    def _is_finished(self, work: Work) -> bool:
        """Continue work until its step has taken long enough; return whether it has ended."""
        try:
            for _ in work.steps:
                if self._pace.is_over:
                    return False
        except (Refused, ValueError, RecursionError, Invalid) as error:
            if work.peer is None:
                raise
            self._refuse(work.peer, work.header, error)
        return True
