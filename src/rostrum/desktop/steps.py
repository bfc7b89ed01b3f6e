"""The start as named steps with states."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Concatenate, ParamSpec, TypeVar

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.errors import StartFailed

_log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class State(StrEnum):
    """The state of a step."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One step, with its state and note."""

    name: str
    state: State = State.WAITING
    note: str = ""


class Progress:
    """The report of a phase about its step."""

    def __init__(self) -> None:
        self._note = ""
        self._skipped = False
        self._troubles: list[str] = []

    def note(self, text: str) -> None:
        """Set the note of the step."""
        self._note = text

    def skip(self) -> None:
        """Report that there was nothing to do."""
        self._skipped = True

    def degrade(self, trouble: str) -> None:
        """Report a problem that does not stop the start: the step ends as degraded."""
        self._troubles.append(trouble)

    def outcome(self, name: str) -> Step:
        """Return the final state of the step."""
        if self._troubles:
            return Step(name, State.DEGRADED, "; ".join([*([self._note] if self._note else []), *self._troubles]))
        return Step(name, State.SKIPPED if self._skipped else State.DONE, self._note)


class Steps:
    """The steps in their order.

    Attributes:
        changed: Emitted with each step whose state changed.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.changed: Signal[Step] = Signal()
        self._steps = {name: Step(name) for name in names}

    @property
    def all(self) -> tuple[Step, ...]:
        """Return every step in order."""
        return tuple(self._steps.values())

    @property
    def are_done(self) -> bool:
        """Return whether no step is waiting, running or failed."""
        return all(step.state in (State.DONE, State.SKIPPED, State.DEGRADED) for step in self._steps.values())

    async def run(
        self,
        name: str,
        phase: Callable[Concatenate[Progress, Arguments], Awaitable[Result]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Run a phase as a step, and return its result; an error of Rostrum fails the start, naming the step."""
        self._set(Step(name, State.RUNNING))
        progress = Progress()
        try:
            result = await phase(progress, *args, **kwargs)
        except StartFailed:
            raise
        except RostrumError as error:
            self._set(Step(name, State.FAILED, str(error)))
            raise StartFailed(name, str(error)) from error
        except BaseException:
            self._set(Step(name, State.FAILED, "interrupted"))
            raise
        self._set(progress.outcome(name))
        return result

    def _set(self, step: Step) -> None:
        self._steps[step.name] = step
        _log.info("%s: %s%s", step.name, step.state, f" ({step.note})" if step.note else "")
        self.changed.emit(step)
