"""Records which functions of the package run, in order.

A call is a function, method, lambda, comprehension or generator expression of ``src/rostrum`` that Python starts, or
continues after an ``await`` or a ``yield``. Code of modules and of class bodies, which runs once when a module is
imported, is not a call. A change of file is a call in another file than the call before it. Calls in threads that start
during the trace are counted separately, because their order is not fixed.
"""

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from inspect import CO_OPTIMIZED
from itertools import pairwise
from pathlib import Path, PurePosixPath
from types import CodeType, FrameType
from typing import Any

from tools.measure.sources import PRODUCT, ROOT

PACKAGE = ROOT / PRODUCT


class Trace:
    """The calls in the order of their events.

    Attributes:
        calls: The calls in the thread that traces.
        calls_in_threads: The number of calls in threads that were started during the trace.

    """

    def __init__(self, package: Path = PACKAGE) -> None:
        self._prefix = f"{package}/"
        self.calls: list[CodeType] = []
        self.calls_in_threads = 0

    @property
    def files(self) -> set[str]:
        """Return the files of all calls, relative to the package."""
        return self._files_of(self.calls)

    @property
    def files_beyond_constructors(self) -> set[str]:
        """Return the files with a call of a function other than a constructor."""
        return self._files_of(code for code in self.calls if code.co_name != "__init__")

    def as_json(self) -> dict[str, Any]:
        """Return the numbers."""
        files = [code.co_filename for code in self.calls]
        return {
            "files": len(self.files),
            "folders": len({PurePosixPath(file).parent for file in self.files}),
            "functions": len({(code.co_filename, code.co_firstlineno, code.co_qualname) for code in self.calls}),
            "calls": len(self.calls),
            "calls_in_threads": self.calls_in_threads,
            "changes_of_file": sum(file != before for before, file in pairwise([None, *files])),
        }

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record an event of the thread that traces."""
        if event == "call" and self._is_call(frame.f_code):
            self.calls.append(frame.f_code)

    def count(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count an event of another thread."""
        if event == "call" and self._is_call(frame.f_code):
            self.calls_in_threads += 1

    def _is_call(self, code: CodeType) -> bool:
        return bool(code.co_flags & CO_OPTIMIZED) and code.co_filename.startswith(self._prefix)

    def _files_of(self, calls: Iterable[CodeType]) -> set[str]:
        return {code.co_filename.removeprefix(self._prefix) for code in calls}


@contextmanager
def tracing(package: Path = PACKAGE) -> Iterator[Trace]:
    """Trace until the end of the block."""
    trace = Trace(package)
    threading.setprofile(trace.count)
    sys.setprofile(trace.note)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
