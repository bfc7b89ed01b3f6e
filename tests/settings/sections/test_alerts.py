"""alerts: the short messages of the platform."""

import pytest

from tests.settings.reading import in_force, taken


@pytest.mark.rule("R-2.15-11")
def test_alerts_stay_for_five_seconds_and_may_have_a_page_of_their_own() -> None:
    assert (in_force("alerts.enabled"), in_force("alerts.ttl"), in_force("alerts.url")) == (True, 5000, None)
    assert taken("alerts.url", "https://alerts.example") == "https://alerts.example"
