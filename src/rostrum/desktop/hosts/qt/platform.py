"""The platform, as seen from the window process: reports and questions."""

import logging
from typing import Any

from rostrum.desktop.hosts.link import Link
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.reports import Question, Report
from rostrum.desktop.hosts.wire import decode, encode

_log = logging.getLogger(__name__)


class Platform:
    """Sends reports and questions to the platform."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def report(self, report: Report) -> None:
        """Send a report."""
        self._link.post(type(report).__name__, encode(report))

    def ask(self, question: Question, kind: Any = Any) -> Later:
        """Send a question; the answer has the given type."""
        later = Later()

        def answered(result: bytes | None, error: Exception | None) -> None:
            if error is not None:
                later.fail(str(error))
                return
            try:
                later.resolve(decode(result or b"null", kind))
            except Exception as problem:  # noqa: BLE001 - the waiting caller receives the message
                _log.warning("the answer to %s cannot be read: %s", type(question).__name__, problem)
                later.fail(str(problem))

        self._link.call(type(question).__name__, encode(question), answered)
        return later
