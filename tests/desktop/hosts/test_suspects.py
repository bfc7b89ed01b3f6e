"""Which window is blamed for the ends of the window process."""

from rostrum.desktop.hosts.reports import LoadFinished, LoadStarted
from rostrum.desktop.hosts.suspects import Suspects


def test_a_window_that_was_loading_each_time_is_isolated_until_the_user_tries_again() -> None:
    suspects = Suspects()
    for now in (1, 2):
        for window in ("good", "bad"):
            suspects.report(LoadStarted(instance=window, url="https://x"))
        suspects.report(LoadFinished(instance="good", url="https://x"))
        assert suspects.process_ended(now) == ({"bad"} if now == 2 else set())
    assert suspects.isolated == {"bad"}
    suspects.report(LoadStarted(instance="bad", url="https://x"))
    assert suspects.isolated == set()
    assert suspects.process_ended(3) == {"bad"}
    # An attempt much later is like the first one.
    suspects.report(LoadStarted(instance="bad", url="https://x"))
    assert suspects.process_ended(100) == set()


def test_several_windows_that_were_loading_each_time_are_loaded_one_after_the_other() -> None:
    suspects = Suspects()
    for now in (1, 2):
        assert suspects.one_by_one == []
        for window in ("a", "b", "c"):
            suspects.loads(window)
        assert suspects.process_ended(now) == set()
    assert suspects.one_by_one == ["a", "b", "c"]
    suspects.loads("a")
    suspects.report(LoadFinished(instance="a", url="https://x"))
    suspects.loads("b")
    assert suspects.process_ended(3) == {"b"}
    assert suspects.one_by_one == []


def test_a_page_that_opens_fatal_windows_is_blamed_although_each_of_them_is_another_one() -> None:
    suspects = Suspects()
    for now in (1, 2):
        suspects.begin(object(), f"popup {now}", "opener")
        blamed = suspects.process_ended(now)
    assert blamed == {"opener"}


def test_ends_without_a_window_that_is_loading_isolate_none() -> None:
    suspects = Suspects()
    for now in range(5):
        suspects.loads("a")
        suspects.report(LoadFinished(instance="a", url="https://x"))
        assert suspects.process_ended(now) == set()
