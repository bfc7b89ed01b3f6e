"""Clocks: the machine's, and one for tests."""

from datetime import UTC, datetime, timedelta

from rostrum.base.clock import Clock, SettableClock, SystemClock


def test_the_machine_reports_the_time_in_utc() -> None:
    clock: Clock = SystemClock()
    before = datetime.now(UTC)

    assert before <= clock.now() <= datetime.now(UTC)
    assert clock.now().utcoffset() == timedelta(0)


def test_the_time_for_spans_never_goes_back() -> None:
    clock = SystemClock()
    readings = [clock.monotonic() for _ in range(1000)]

    assert readings == sorted(readings)


def test_a_clock_for_tests_stands_still_until_it_is_moved() -> None:
    clock: SettableClock = SettableClock()
    first = (clock.now(), clock.monotonic())
    assert (clock.now(), clock.monotonic()) == first

    clock.advance(90.5)
    assert clock.now() - first[0] == timedelta(seconds=90.5)
    assert clock.monotonic() - first[1] == 90.5


def test_a_clock_for_tests_starts_where_it_is_set() -> None:
    start = datetime(2000, 2, 29, 12, tzinfo=UTC)
    one, other = SettableClock(start), SettableClock(start)
    one.advance(1)

    assert other.now() == start


def test_setting_the_time_of_day_lets_no_time_pass() -> None:
    clock = SettableClock()
    first = (clock.now(), clock.monotonic())

    clock.jump(-86_400)

    assert clock.now() - first[0] == timedelta(days=-1)
    assert clock.monotonic() == first[1]
