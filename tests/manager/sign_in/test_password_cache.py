import asyncio
import pickle

from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.clock import SettableClock
from rostrum.manager.sign_in.password_cache import PasswordCache

PAIR = st.tuples(st.text("ab:\0é", min_size=1, max_size=4), st.text("ab:\0é", min_size=1, max_size=4))


def test_a_good_password_is_remembered_with_its_epoch(clock: SettableClock) -> None:
    verified = PasswordCache(clock)
    verified.remember("ann", "secret", 7)

    assert verified.epoch("ann", "secret") == 7
    assert verified.epoch("ann", "Secret") is None
    assert verified.epoch("Ann", "secret") is None
    assert verified.epoch("bob", "secret") is None


def test_a_later_epoch_takes_the_place_of_an_earlier_one(clock: SettableClock) -> None:
    verified = PasswordCache(clock)
    verified.remember("ann", "secret", 7)
    verified.remember("ann", "secret", 8)

    assert verified.epoch("ann", "secret") == 8
    assert len(verified) == 1


def test_it_is_removed_when_it_is_unused_for_a_while(clock: SettableClock) -> None:
    verified = PasswordCache(clock, seconds=300)
    verified.remember("ann", "secret", 7)

    for _ in range(4):
        clock.advance(299)
        assert verified.epoch("ann", "secret") == 7
    clock.advance(301)
    assert verified.epoch("ann", "secret") is None
    assert len(verified) == 0


def test_renewal_by_use_can_be_disabled(clock: SettableClock) -> None:
    verified = PasswordCache(clock, seconds=300, is_renewed_by_use=False)
    verified.remember("ann", "secret", 7)

    for _ in range(4):
        clock.advance(100)
        verified.epoch("ann", "secret")

    assert verified.epoch("ann", "secret") is None


def test_only_so_many_are_kept_and_the_oldest_go_first(clock: SettableClock) -> None:
    verified = PasswordCache(clock, most=3)
    for user in ("ann", "bob", "cleo"):
        verified.remember(user, "secret", 7)
    verified.remember("ann", "secret", 7)
    verified.remember("dan", "secret", 7)

    assert len(verified) == 3
    assert verified.epoch("bob", "secret") is None
    assert [verified.epoch(user, "secret") for user in ("ann", "cleo", "dan")] == [7, 7, 7]


def test_neither_the_password_nor_the_user_is_held_in_it(clock: SettableClock) -> None:
    verified = PasswordCache(clock)
    verified.remember("annabella", "correct horse battery", 7)

    held = pickle.dumps(dict(verified._entries))

    assert b"correct horse battery" not in held
    assert b"annabella" not in held


def test_two_processes_keep_different_digests(clock: SettableClock) -> None:
    one, other = PasswordCache(clock), PasswordCache(clock)
    one.remember("ann", "secret", 7)
    other.remember("ann", "secret", 7)

    assert set(one._entries).isdisjoint(other._entries)


def test_letters_cannot_move_from_the_password_to_the_user(clock: SettableClock) -> None:
    verified = PasswordCache(clock)
    verified.remember("a", "bc", 7)

    assert verified.epoch("ab", "c") is None
    assert verified.epoch("a", "bc") == 7


@given(PAIR, PAIR)
def test_no_two_pairs_are_taken_for_each_other(one: tuple[str, str], other: tuple[str, str]) -> None:
    verified = PasswordCache(SettableClock())
    verified.remember(*one, 7)

    assert verified.epoch(*other) == (7 if one == other else None)


async def test_requests_with_the_same_password_take_turns_and_others_do_not_wait(clock: SettableClock) -> None:
    verified = PasswordCache(clock)

    async with verified.turn("ann", "secret"):
        same = asyncio.create_task(verified.turn("ann", "secret").acquire())
        async with asyncio.timeout(1), verified.turn("ann", "guess"), verified.turn("bob", "secret"):
            pass
        assert not same.done()

    assert await same


async def test_nothing_is_kept_of_a_turn_that_is_over(clock: SettableClock) -> None:
    verified = PasswordCache(clock)
    for number in range(10):
        async with verified.turn("ann", str(number)):
            pass

    assert len(verified._turns) == 0
