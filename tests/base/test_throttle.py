import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.errors import TooManyAttempts
from rostrum.base.throttle import Limit, Throttle

MANY = Limit(100_000, 1)
FEW = Limit(3, 10)


def throttle(clock: SettableClock, *, pair: Limit = FEW, address: Limit = MANY, account: Limit = MANY) -> Throttle:
    return Throttle(clock, pair=pair, address=address, account=account)


def wait(throttle: Throttle, account: str = "ann", address: str = "10.0.0.1") -> int:
    """Try once; how long the try has to wait, 0 when it is let in."""
    try:
        throttle.enter(account, address)
    except TooManyAttempts as refused:
        return refused.retry_after
    return 0


def test_the_first_tries_are_free_and_then_there_is_one_every_so_many_seconds(clock: SettableClock) -> None:
    guard = throttle(clock)

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 10]
    for _ in range(20):
        clock.advance(10)
        assert wait(guard) == 0
        assert wait(guard) == 10


def test_the_wait_that_is_reported_is_enough_and_not_a_second_more_than_needed(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)

    clock.advance(3.5)
    assert wait(guard) == 7
    clock.advance(6)
    assert wait(guard) == 1
    clock.advance(0.5)
    assert wait(guard) == 0


def test_a_refused_try_counts_for_nothing(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(100):
        wait(guard)

    clock.advance(10)

    assert wait(guard) == 0


def test_failures_are_forgotten_little_by_little(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)

    clock.advance(30)

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 10]


def test_accounts_are_counted_apart(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard, "ann")

    assert wait(guard, "ann") > 0
    assert wait(guard, "bob") == 0


def test_an_account_is_guarded_against_guesses_from_many_addresses(clock: SettableClock) -> None:
    guard = throttle(clock, account=Limit(5, 10))
    for number in range(5):
        assert wait(guard, "ann", f"10.0.0.{number}") == 0

    assert wait(guard, "ann", "10.0.0.200") == 10


def test_guesses_from_elsewhere_do_not_lock_out_the_owner(clock: SettableClock) -> None:
    guard = throttle(clock, account=Limit(5, 10))
    wait(guard, "ann", "10.0.0.1")
    guard.succeeded("ann", "10.0.0.1")
    for number in range(100):
        wait(guard, "ann", f"10.0.1.{number}")

    assert wait(guard, "ann", "10.0.1.200") > 0
    assert wait(guard, "Ann", "10.0.0.1") == 0


def test_home_is_forgotten_after_a_day(clock: SettableClock) -> None:
    guard = throttle(clock, account=Limit(1, 1_000_000))
    wait(guard, "ann", "10.0.0.1")
    guard.succeeded("ann", "10.0.0.1")
    wait(guard, "ann", "10.0.1.1")

    clock.advance(24 * 60 * 60)

    assert wait(guard, "ann", "10.0.0.1") > 0


def test_a_throttle_whose_caller_remembers_pairs_remembers_none_itself(clock: SettableClock) -> None:
    guard = Throttle(clock, account=Limit(1, 1_000_000), remembers_pairs=False)
    wait(guard, "ann", "10.0.0.1")
    guard.succeeded("ann", "10.0.0.1")
    wait(guard, "ann", "10.0.1.1")

    assert wait(guard, "ann", "10.0.0.1") > 0
    guard.enter("ann", "10.0.0.1", is_known=True)


def test_an_address_that_tries_many_accounts_is_slowed_and_others_are_not(clock: SettableClock) -> None:
    guard = throttle(clock, address=Limit(5, 1))
    for number in range(5):
        wait(guard, f"user {number}", "10.0.0.1")

    assert wait(guard, "someone new", "10.0.0.1") == 1
    assert wait(guard, "someone new", "10.0.0.2") == 0


def test_one_forgotten_desktop_does_not_lock_the_firm_out(clock: SettableClock) -> None:
    guard = Throttle(clock)
    for _ in range(8 * 60):
        wait(guard, "forgotten", "10.0.0.1")
        clock.advance(60)

    for number in range(600):
        assert wait(guard, f"user {number}", "10.0.0.1") == 0
        guard.succeeded(f"user {number}", "10.0.0.1")


@pytest.mark.parametrize("spelling", ["ANN", "Ann", "aNN"])
def test_letter_case_gives_no_fresh_tries(clock: SettableClock, spelling: str) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard, "ann")

    assert wait(guard, spelling) > 0


def test_an_account_is_never_taken_for_an_address(clock: SettableClock) -> None:
    guard = throttle(clock, address=Limit(3, 10), account=Limit(3, 10))
    for _ in range(3):
        wait(guard, "10.0.0.1", "10.0.0.2")

    assert wait(guard, "ann", "10.0.0.1") == 0


def test_fifty_at_once_count_as_fifty(clock: SettableClock) -> None:
    guard = Throttle(clock)

    let_in = sum(wait(guard) == 0 for _ in range(50))

    assert let_in == 10


def test_a_right_password_clears_the_account_at_this_address(clock: SettableClock) -> None:
    guard = throttle(clock)
    for _ in range(3):
        wait(guard)

    guard.succeeded("Ann", "10.0.0.1")

    assert [wait(guard) for _ in range(4)] == [0, 0, 0, 10]


def test_a_try_that_was_never_checked_is_taken_back(clock: SettableClock) -> None:
    guard = throttle(clock)

    for _ in range(50):
        assert wait(guard) == 0
        guard.take_back("ann", "10.0.0.1")


def test_a_right_password_takes_only_its_own_try_from_the_address(clock: SettableClock) -> None:
    guard = throttle(clock, address=Limit(5, 1))
    for number in range(4):
        wait(guard, f"victim {number}")

    # Anyone who has an account of their own must not win fresh guesses with it.
    wait(guard, "guesser")
    guard.succeeded("guesser", "10.0.0.1")

    assert [wait(guard, "victim 5"), wait(guard, "victim 6")] == [0, 1]


def test_memory_is_bounded_whatever_is_tried(clock: SettableClock) -> None:
    guard = Throttle(clock)

    for number in range(10_000):
        wait(guard, f"user {number}", f"address {number}")

    assert len(guard) == 20_000


def test_all_addresses_of_one_network_of_ipv6_count_as_one(clock: SettableClock) -> None:
    guard = throttle(clock)

    assert [wait(guard, address=f"2001:db8:0:1::{number:x}") for number in range(4)] == [0, 0, 0, 10]
    assert wait(guard, address="2001:db8:0:2::1") == 0
    guard.succeeded("ann", "2001:db8:0:1::ffff")
    assert wait(guard, address="2001:db8:0:1:a:b:c:d") == 0


def test_an_address_of_ipv4_is_the_same_in_the_form_of_ipv6(clock: SettableClock) -> None:
    guard = throttle(clock)

    assert [wait(guard, address=address) for address in ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1")] == [0, 0, 0]
    assert wait(guard, address="::ffff:192.0.2.1") == 10
    assert wait(guard, address="::ffff:192.0.2.2") == 0
    assert wait(guard, address="not an: address") == 0
