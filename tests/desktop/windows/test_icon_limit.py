"""How many icons a site loads."""

from rostrum.desktop.windows.icon_limit import MOST, SECONDS, IconLimit


def test_a_site_loads_a_few_icons_in_each_interval_and_others_load_theirs() -> None:
    limit = IconLimit()
    assert [limit.take("evil", 100.0) for _ in range(MOST + 5)] == [True] * MOST + [False] * 5
    assert limit.take("victim", 100.0)
    assert limit.take("evil", 100.0 + SECONDS)
