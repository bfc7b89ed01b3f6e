"""Logging: lines for people or JSON for machines, each with the request it belongs to."""

import logging
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that the running code works for."""

_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        # One event, one line: a name with a line break must not look like another event.
        message = _NOT_IN_A_LINE.sub(_escaped, record.getMessage())
        line = f"{_time(record)} {record.levelname.lower():7} {message}"
        request = request_id.get()
        if request:
            line += f" [{request}]"
        if record.exc_info:
            line += "\n" + _as_text(self.formatException(record.exc_info))
        return line


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _as_text(record.getMessage()),
        }
        for name, value in getattr(record, "fields", {}).items():
            event[name] = _as_text(value)
        request = request_id.get()
        if request:
            event["request"] = request
        if record.exc_info:
            event["error"] = _as_text(self.formatException(record.exc_info))
        return msgspec.json.encode(event).decode()


def set_up_logging(level: str, form: str, stream: TextIO | None = None) -> None:
    """Send every log record to standard error in one form: ``text`` or ``json``.

    A record's ``fields`` (given as ``extra``) are members of their own in JSON; in text its message must say it all.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(log_formatter(form))
    # Its own level: log files may need more from the loggers.
    handler.setLevel(level.upper())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("aiosqlite", "asyncio", "alembic", "_granian"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))


def log_formatter(form: str) -> logging.Formatter:
    """Make what writes the lines of a log: ``text`` or ``json``."""
    return _Json() if form == "json" else _Text()


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _as_text(text: str) -> str:
    """Write what no encoding can hold as people would type it."""
    return text.encode("utf-8", "backslashreplace").decode()


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
