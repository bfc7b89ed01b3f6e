import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.auth.throttle import Throttle
from rostrum.manager.errors import TooManyAttempts


def throttle(clock: SettableClock, *, account: int = 3, address: int = 1000) -> Throttle:
    return Throttle(clock, free_per_account=account, free_per_address=address)


def wait(throttle: Throttle, account: str = "ann", address: str = "10.0.0.1") -> int:
    """Try once; how long the try has to wait, 0 when it is let in."""
    try:
        throttle.enter(account, address)
    except TooManyAttempts as refused:
        return refused.retry_after
    return 0


def test_the_first_tries_are_free(clock: SettableClock) -> None:
    guard = throttle(clock)

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 1]


def test_each_next_try_waits_twice_as_long_up_to_a_cap(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)
    waits: list[int] = []
    for _ in range(10):
        waits.append(wait(guard))
        clock.advance(waits[-1])
        assert wait(guard) == 0

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]


def test_a_thousand_tries_later_the_wait_is_still_the_cap(clock: SettableClock) -> None:
    guard = throttle(clock, address=10_000)
    for _ in range(1500):
        clock.advance(60)
        guard.enter("ann", "10.0.0.1")

    assert wait(guard) == 60


def test_a_refused_try_counts_for_nothing(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(100):
        wait(guard)

    clock.advance(1)

    assert wait(guard) == 0


def test_part_of_a_second_is_rounded_up(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)

    clock.advance(0.5)
    assert wait(guard) == 1
    clock.advance(0.5)
    assert wait(guard) == 0


def test_failures_are_forgotten_after_a_quiet_while(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)

    clock.advance(901)

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 1]


def test_accounts_are_counted_apart(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard, "ann")

    assert wait(guard, "ann") > 0
    assert wait(guard, "bob") == 0


def test_an_account_is_guarded_against_guesses_from_many_addresses(clock: SettableClock) -> None:
    guard = throttle(clock)
    for number in range(3):
        wait(guard, "ann", f"10.0.0.{number}")

    assert wait(guard, "ann", "10.0.0.200") > 0


def test_an_address_that_tries_many_accounts_is_slowed_and_others_are_not(clock: SettableClock) -> None:
    guard = throttle(clock, address=5)
    for number in range(5):
        wait(guard, f"user {number}", "10.0.0.1")

    assert wait(guard, "someone new", "10.0.0.1") > 0
    assert wait(guard, "someone new", "10.0.0.2") == 0


@pytest.mark.parametrize("spelling", ["ANN", "Ann", "aNN"])
def test_letter_case_gives_no_fresh_tries(clock: SettableClock, spelling: str) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard, "ann")

    assert wait(guard, spelling) > 0


def test_an_account_is_never_taken_for_an_address(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard, "10.0.0.1", "10.0.0.2")

    assert wait(guard, "ann", "10.0.0.1") == 0


def test_fifty_at_once_count_as_fifty(clock: SettableClock) -> None:
    guard = Throttle(clock)

    let_in = sum(wait(guard) == 0 for _ in range(50))

    assert let_in == 10


def test_a_right_password_clears_the_account(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)

    guard.succeeded("Ann", "10.0.0.1")

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 1]


def test_a_right_password_takes_only_its_own_try_from_the_address(clock: SettableClock) -> None:
    guard = throttle(clock, address=5)
    for number in range(4):
        wait(guard, f"victim {number}")

    # Whoever has an account of their own must not win fresh guesses with it.
    wait(guard, "guesser")
    guard.succeeded("guesser", "10.0.0.1")

    assert [wait(guard, "victim 5"), wait(guard, "victim 6")] == [0, 1]


def test_people_who_know_their_passwords_never_fill_up_an_address(clock: SettableClock) -> None:
    guard = throttle(clock, address=5)

    for number in range(1000):
        assert wait(guard, f"user {number}") == 0
        guard.succeeded(f"user {number}", "10.0.0.1")


def test_success_of_a_try_long_forgotten_does_no_harm(clock: SettableClock) -> None:
    guard = throttle(clock)

    guard.succeeded("ann", "10.0.0.1")

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 1]


def test_memory_is_bounded_whatever_is_tried(clock: SettableClock) -> None:
    guard = Throttle(clock)

    for number in range(15_000):
        wait(guard, f"user {number}", f"address {number}")

    assert len(guard._records) == 20_000
