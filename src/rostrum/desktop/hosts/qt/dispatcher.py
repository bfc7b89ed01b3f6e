"""Executes calls of the platform with the method of the same name."""

import logging

import msgspec

from rostrum.desktop.hosts.link import Reply
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.wire import Operation, operations

_log = logging.getLogger(__name__)


class Refused(Exception):
    """A call that cannot be executed; the message is for the caller."""


class Dispatcher:
    """Calls the methods of an object that implements the port without ``async``."""

    def __init__(self, host: object) -> None:
        self._host = host
        self._operations = operations(WindowHost)

    def serve(self, op: str, args: bytes, reply: Reply) -> None:
        """Execute a call and respond, immediately or when its result is available."""
        operation = self._operations.get(op)
        if op == "ping":
            reply.result()
        elif operation is None:
            reply.error(f"{op} is not known")
        else:
            self._execute(operation, args, reply)

    def _execute(self, operation: Operation, args: bytes, reply: Reply) -> None:
        try:
            values = operation.decode(args)
        except msgspec.MsgspecError as error:
            reply.error(f"{operation.name}: {error}")
            return
        try:
            result = getattr(self._host, operation.name)(*values)
        except Refused as error:
            reply.error(str(error))
            return
        except Exception as error:  # noqa: BLE001
            # A failed call must not end the window process.
            _log.exception("%s failed", operation.name)
            reply.error(f"{operation.name} failed: {error}")
            return
        if isinstance(result, Later):
            result.then(lambda value, reason: self._answer(operation, reply, value, reason))
        else:
            self._answer(operation, reply, result, None)

    def _answer(self, operation: Operation, reply: Reply, value: object, reason: str | None) -> None:
        if reason is not None:
            reply.error(reason)
            return
        try:
            reply.result(operation.encode_result(value))
        except Exception as error:  # noqa: BLE001
            _log.exception("the result of %s cannot be sent", operation.name)
            reply.error(f"{operation.name}: {error}")
