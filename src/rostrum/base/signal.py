"""Typed notifications inside one process."""

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")
Listener = Callable[[Value], None]


class Signal(Generic[Value]):
    """Notifies its listeners in the order they connected; all are notified even if one fails."""

    def __init__(self) -> None:
        self._listeners: list[Listener[Value]] = []

    def connect(self, listener: Listener[Value]) -> Callable[[], None]:
        """Add a listener; call the returned function to remove it."""
        self._listeners.append(listener)

        def disconnect() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return disconnect

    def emit(self, value: Value) -> None:
        """Notify all listeners; their exceptions are raised together afterwards."""
        failures: list[Exception] = []
        for listener in tuple(self._listeners):
            try:
                listener(value)
            except Exception as error:  # noqa: BLE001 - raised again below
                failures.append(error)
        if failures:
            raise ExceptionGroup("listeners failed", failures)
