"""Steps: the start as named steps with states that can be asked for."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.errors import StartFailed

__all__ = ["State", "Step", "Steps"]

_log = logging.getLogger(__name__)


class State(StrEnum):
    """Where a step is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and what it has to say."""

    name: str
    state: State = State.WAITING
    note: str = ""


Action = Callable[[], Awaitable[str | None]]
"""Does a step; what it returns is worth telling, an empty text says that there was nothing to do."""


class Steps:
    """The steps in their order.

    Attributes:
        changed: Emitted with each step that gets another state.

    """

    def __init__(self, names: tuple[str, ...]) -> None:
        """Begin with every step waiting."""
        self.changed: Signal[Step] = Signal()
        self._steps = {name: Step(name) for name in names}
        self._troubles: dict[str, list[str]] = {}

    @property
    def all(self) -> tuple[Step, ...]:
        """Return every step in order."""
        return tuple(self._steps.values())

    async def run(self, name: str, action: Action) -> None:
        """Do a step; what Rostrum itself refuses fails the start, naming the step."""
        self._set(Step(name, State.RUNNING))
        try:
            note = await action()
        except StartFailed:
            raise
        except RostrumError as error:
            self._set(Step(name, State.FAILED, str(error)))
            raise StartFailed(name, str(error)) from error
        except BaseException:
            self._set(Step(name, State.FAILED, "interrupted"))
            raise
        troubles = self._troubles.pop(name, [])
        if troubles:
            self._set(Step(name, State.DEGRADED, "; ".join([*([note] if note else []), *troubles])))
        else:
            self._set(Step(name, State.SKIPPED if note == "" else State.DONE, note or ""))

    def degrade(self, name: str, note: str) -> None:
        """Say of a step that runs that not all is well: it ends as degraded."""
        self._troubles.setdefault(name, []).append(note)

    def _set(self, step: Step) -> None:
        self._steps[step.name] = step
        _log.info("%s: %s%s", step.name, step.state, f" ({step.note})" if step.note else "")
        self.changed.emit(step)
