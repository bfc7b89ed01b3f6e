"""How a long-running process uses the system: signals that stop it, and the number of its open files."""

import signal
from queue import Empty, SimpleQueue


class StopSignals:
    """Notices SIGINT and SIGTERM from now on. Make it in the main thread.

    A ``threading.Event`` would not do: the handler runs in the thread that waits, and cannot set an event whose lock
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
    """Let this process open as many files as the system lets it; the usual limit is that of a program for people."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
