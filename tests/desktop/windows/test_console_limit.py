"""How many console messages of a page are written."""

from rostrum.desktop.windows.console_limit import MOST, SECONDS, ConsoleLimit


def test_a_flood_of_console_messages_is_written_up_to_the_limit_and_counted() -> None:
    limit = ConsoleLimit()
    taken = [limit.take(100.0) for _ in range(MOST + 50)]
    assert taken == [(True, 0)] * MOST + [(False, 0)] * 50
    assert limit.take(100.0 + SECONDS) == (True, 50)
    assert limit.take(100.0 + SECONDS) == (True, 0)
    # After a quiet interval, nothing was omitted.
    assert limit.take(100.0 + 2 * SECONDS) == (True, 0)
