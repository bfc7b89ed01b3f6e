"""splash: the window shown while the platform starts."""

import pytest

from tests.settings.reading import in_force


@pytest.mark.rule("R-2.15-1", "L-D-13")
@pytest.mark.rule("R-2.15-2")
def test_the_splash_is_waited_for_five_seconds_at_most_and_shown_at_shutdown_too() -> None:
    splash = in_force("splash")
    assert (splash["blockStartup"], splash["timeout"], splash["showOnShutdown"]) == (True, 5000, True)
    assert (splash["width"], splash["height"], splash["disabled"]) == (350, 233, None)
