"""Waits between attempts, seen without waiting."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.retry import LONGEST_WAIT_MS, attempt, waits


class Flaky:
    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


class Slept:
    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.mark.rule("R-2.8-17")
def test_waits_double_from_the_factor() -> None:
    assert list(waits(1000, 5)) == [1000, 2000, 4000, 8000, 16000]


@pytest.mark.rule("R-2.8-17", "L-8-3")
def test_no_wait_is_longer_than_five_minutes() -> None:
    assert list(waits(200_000, 3)) == [200_000, 300_000, 300_000]
    assert list(waits(1e9, 1)) == [300_000]


def test_no_retries_means_no_waits() -> None:
    assert list(waits(1000, 0)) == []


def test_a_negative_factor_does_not_wait() -> None:
    assert list(waits(-5, 2)) == [0, 0]


@pytest.mark.rule("R-2.8-17")
@given(st.floats(0, 1e12), st.integers(0, 60))
def test_every_wait_is_the_formula(factor: float, retry: int) -> None:
    wait = next(itertools.islice(waits(factor, retry + 1), retry, None))
    assert wait == pytest.approx(min(factor * 2**retry, LONGEST_WAIT_MS))


def test_thousands_of_retries_do_not_overflow() -> None:
    assert list(waits(1, 5000))[-1] == LONGEST_WAIT_MS


async def test_attempts_go_on_until_one_works() -> None:
    action, slept = Flaky(OSError(), OSError()), Slept()
    assert await attempt(action, waits(1000, 3), lambda _: True, slept) == "done"
    assert (action.calls, slept.seconds) == (3, [1, 2])


async def test_the_last_error_comes_out_when_the_retries_are_used_up() -> None:
    action, slept = Flaky(OSError("1"), OSError("2"), OSError("3")), Slept()
    with pytest.raises(OSError, match="3"):
        await attempt(action, waits(500, 2), lambda _: True, slept)
    assert (action.calls, slept.seconds) == (3, [0.5, 1])


async def test_an_error_that_no_retry_can_fix_is_not_tried_again() -> None:
    action, slept = Flaky(ValueError("wrong")), Slept()
    with pytest.raises(ValueError, match="wrong"):
        await attempt(action, waits(500, 2), lambda error: isinstance(error, OSError), slept)
    assert (action.calls, slept.seconds) == (1, [])
