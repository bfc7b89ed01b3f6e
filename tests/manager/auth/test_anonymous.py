import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.errors import TooManyAttempts
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.errors import Unauthenticated


def test_without_the_setting_credentials_are_needed(clock: SettableClock) -> None:
    with pytest.raises(Unauthenticated):
        AnonymousUploads(clock, allowed=False).enter("10.0.0.1")


def test_an_address_may_send_so_many_in_a_minute(clock: SettableClock) -> None:
    uploads = AnonymousUploads(clock, allowed=True, per_minute=3)
    for _ in range(3):
        uploads.enter("10.0.0.1")

    with pytest.raises(TooManyAttempts) as refused:
        uploads.enter("10.0.0.1")

    assert refused.value.retry_after == 60
    uploads.enter("10.0.0.2")


@pytest.mark.parametrize("passed", [0.0, 0.6, 29.7, 59.4, 59.9])
def test_a_client_that_comes_back_when_asked_to_is_let_in(clock: SettableClock, passed: float) -> None:
    uploads = AnonymousUploads(clock, allowed=True, per_minute=1)
    uploads.enter("10.0.0.1")
    clock.advance(passed)
    with pytest.raises(TooManyAttempts) as refused:
        uploads.enter("10.0.0.1")

    clock.advance(refused.value.retry_after)

    uploads.enter("10.0.0.1")


def test_each_minute_begins_afresh(clock: SettableClock) -> None:
    uploads = AnonymousUploads(clock, allowed=True, per_minute=2)

    for _ in range(5):
        uploads.enter("10.0.0.1")
        uploads.enter("10.0.0.1")
        with pytest.raises(TooManyAttempts):
            uploads.enter("10.0.0.1")
        clock.advance(60)


def test_memory_is_bounded_for_every_sender(clock: SettableClock) -> None:
    uploads = AnonymousUploads(clock, allowed=True)

    for number in range(10_050):
        uploads.enter(f"address {number}")

    assert len(uploads._windows) == 10_000
