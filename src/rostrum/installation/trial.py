"""Reports of a new version to the launcher that supervises its first start."""

import os
from contextlib import suppress

from rostrum.installation.launcher import CHANNEL_VARIABLE


class TrialChannel:
    """The pipe to the launcher; reports have no effect outside a trial."""

    def __init__(self, handle: int | None = None) -> None:
        self._handle = handle

    @classmethod
    def from_environment(cls) -> "TrialChannel":
        """Use the pipe that the launcher has opened, and do not pass it on to apps."""
        text = os.environ.pop(CHANNEL_VARIABLE, "")
        if not text.isdecimal():
            return cls()
        try:
            os.set_inheritable(int(text), False)  # noqa: FBT003 - takes no keywords
        except OSError:
            return cls()
        return cls(int(text))

    @property
    def is_supervised(self) -> bool:
        """Return whether a launcher waits for reports."""
        return self._handle is not None

    def inconclusive(self) -> None:
        """Report that the end of this process does not concern the version, as with other commands."""
        self._report("inconclusive")

    def waiting(self) -> None:
        """Report that a prompt is shown; its time does not count."""
        self._report("waiting")

    def starting(self) -> None:
        """Report that the prompt was answered."""
        self._report("starting")

    def ready(self) -> None:
        """Report that the platform is ready."""
        self._report("ready")

    def restart(self) -> None:
        """Ask the launcher to start the current version when this process has ended."""
        self._report("restart")

    def _report(self, message: str) -> None:
        if self._handle is not None:
            # Without a launcher, reports are not read.
            with suppress(OSError):
                os.write(self._handle, f"{message}\n".encode())
