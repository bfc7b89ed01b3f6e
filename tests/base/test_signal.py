"""Signals: who hears, in which order, and what a failing listener does to the others."""

import pytest

from rostrum.base.signal import Signal


def test_listeners_hear_in_the_order_they_connected_until_they_disconnect() -> None:
    signal: Signal[int] = Signal()
    heard: list[tuple[str, int]] = []
    signal.connect(lambda value: heard.append(("a", value)))
    disconnect = signal.connect(lambda value: heard.append(("b", value)))

    signal.emit(1)
    disconnect()
    disconnect()
    signal.emit(2)

    assert heard == [("a", 1), ("b", 1), ("a", 2)]


def test_a_listener_that_fails_keeps_none_of_the_others_from_hearing() -> None:
    signal: Signal[int] = Signal()
    heard: list[int] = []

    def fail(_: int) -> None:
        raise ValueError("no")

    signal.connect(fail)
    signal.connect(heard.append)

    with pytest.raises(ExceptionGroup, match="listeners failed"):
        signal.emit(1)
    assert heard == [1]
