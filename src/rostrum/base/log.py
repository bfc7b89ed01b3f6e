"""Logging: lines for people or JSON for machines, each with the request it belongs to."""

import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

__all__ = ["request_id", "set_up_logging"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that the running code works for."""


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = f"{_time(record)} {record.levelname.lower():7} {record.getMessage()}"
        request = request_id.get()
        if request:
            line += f" [{request}]"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        # One event, one line: a name with a line break must not look like another event.
        return line if record.exc_info else line.replace("\n", "\\n").replace("\r", "\\r")


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        request = request_id.get()
        if request:
            event["request"] = request
        if record.exc_info:
            event["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(event).decode()


def set_up_logging(level: str, form: str, stream: TextIO | None = None) -> None:
    """Send every log record to standard error in one form: ``text`` or ``json``."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("aiosqlite", "asyncio", "alembic", "_granian"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
