"""Process-wide settings: signals that stop the process, and the limit of open files."""

import signal
from queue import Empty, SimpleQueue


class StopSignals:
    """Receives SIGINT and SIGTERM from its creation on. Create it in the main thread.

    A ``threading.Event`` does not work here: the handler runs in the waiting thread, and cannot set an event whose lock
    this thread holds at that moment. ``SimpleQueue.put`` may interrupt ``SimpleQueue.get`` anywhere.
    """

    def __init__(self) -> None:
        self._received: SimpleQueue[int] = SimpleQueue()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _frame: self._received.put(number))

    def wait(self, seconds: float) -> bool:
        """Wait for a signal; return whether one has arrived. A signal just before the wait may be noticed after it."""
        try:
            self._received.get(timeout=seconds)
        except Empty:
            return False
        return True


def allow_many_files() -> None:
    """Raise the limit of open files to the maximum that the system allows; the default is too low for a server."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
