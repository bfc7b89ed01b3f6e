"""Logging: text for people or JSON for programs, with the ID of the request that caused each record."""

import logging
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""ID of the request that is being handled."""

_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        # One line per event: a name with a line break must not look like a second event.
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
    """Write all log records to standard error as ``text`` or ``json``.

    In JSON, the ``fields`` of a record (passed as ``extra``) become separate members; in text, only the message is
    written.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(log_formatter(form))
    # Set on the handler: log files may need more records from the loggers.
    handler.setLevel(level.upper())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("aiosqlite", "asyncio", "alembic", "_granian"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))


def log_formatter(form: str) -> logging.Formatter:
    """Return the formatter for ``text`` or ``json``."""
    return _Json() if form == "json" else _Text()


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _as_text(text: str) -> str:
    """Escape characters that cannot be encoded."""
    return text.encode("utf-8", "backslashreplace").decode()


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
