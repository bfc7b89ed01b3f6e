"""What a user may cause, with a clock that the tests set."""

import pytest

from rostrum.gateway.costs import LEAST_READ, MOST_SHARED_READ, SHARED, Costs, Slice, UserCosts

MIB = 1024 * 1024


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="users")
def _users(clock: Clock) -> UserCosts:
    def make(size: Slice) -> Costs:
        return Costs(64 * MIB, 64 * MIB, 8 * MIB, clock, size)

    return UserCosts(make)


def test_a_user_pauses_after_a_step_of_large_messages_while_others_are_connected(
    users: UserCosts, clock: Clock
) -> None:
    costs = users.of("ada")
    costs.worked(0.01)
    assert (costs.delay, costs.must_wait) == (0, False)
    users.of("bob")

    costs.worked(0.01)

    assert costs.must_wait
    assert costs.delay == pytest.approx(0.04)
    clock.now += 0.03
    costs.renew()
    assert costs.must_wait
    clock.now += 0.011
    costs.renew()
    assert (costs.delay, costs.must_wait) == (0, False)


def test_less_is_read_at_once_from_a_user_who_sends_very_many_frames(users: UserCosts, clock: Clock) -> None:
    costs = users.of("ada")
    users.of("bob")
    costs.renew()
    assert costs.most_read == MOST_SHARED_READ

    for _ in range(8):
        costs.room -= 10 * SHARED
        costs.renew()
        # The turn ends, and others have more time than the flood.
        assert costs.must_wait
        clock.now += 1
        costs.renew()
        assert not costs.must_wait
    assert costs.most_read < 2 * LEAST_READ

    for _ in range(100):
        costs.renew()
    assert costs.most_read == MOST_SHARED_READ


def test_messages_within_the_turns_are_not_delayed(users: UserCosts) -> None:
    costs = users.of("ada")
    users.of("bob")
    for _ in range(1000):
        costs.room -= SHARED + 2000
        costs.renew()
        assert not costs.must_wait
    assert costs.most_read == MOST_SHARED_READ


def test_very_many_sign_ins_of_a_user_delay_the_messages_of_this_user(users: UserCosts, clock: Clock) -> None:
    costs, other = users.of("ada"), users.of("bob")
    for _ in range(100):
        costs.signed_in()
    costs.renew()
    assert not costs.must_wait

    for _ in range(100):
        costs.signed_in()
    costs.renew()

    assert costs.must_wait
    assert (other.delay, other.must_wait) == (0, False)
    clock.now += costs.delay + 0.01
    costs.renew()
    assert not costs.must_wait
