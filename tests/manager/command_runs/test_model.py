"""The arithmetic of waves and limits."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.command_runs.model import Amount, Desktop, in_waves, wave_sizes

TOTALS = st.integers(0, 5_000)
AMOUNTS = st.lists(
    st.one_of(
        st.builds(Amount, st.integers(1, 100), st.just(value=True)),
        st.builds(Amount, st.integers(1, 6_000), st.just(value=False)),
    ),
    max_size=20,
)


@pytest.mark.parametrize(
    ("waves", "total", "sizes"),
    [
        (["10%", "50%", "100%"], 200, [20, 80, 100]),
        (["10%", "50%", "100%"], 3, [1, 1, 1]),
        (["10%", "50%", "100%"], 1, [1]),
        (["100%"], 7, [7]),
        (["5", "10%", "100%"], 20, [5, 15]),
        (["1", "10", "50%"], 100, [1, 9, 40, 50]),
        (["1000"], 3, [3]),
        (["10%"], 0, []),
    ],
)
def test_waves_reach_each_amount_in_turn_and_then_everything(waves: list[str], total: int, sizes: list[int]) -> None:
    assert wave_sizes([Amount.parse(text) for text in waves], total) == sizes


@given(AMOUNTS, TOTALS)
def test_waves_are_never_empty_and_reach_each_desktop_once(amounts: list[Amount], total: int) -> None:
    sizes = wave_sizes(amounts, total)

    assert all(size > 0 for size in sizes)
    assert sum(sizes) == total
    assert len(sizes) <= len(amounts) + 1
    if amounts and total:
        assert sizes[0] == min(amounts[0].of(total), total)


@given(AMOUNTS, st.integers(0, 60), st.integers(0, 60))
def test_each_desktop_is_in_one_wave_and_connected_ones_come_first(
    amounts: list[Amount], connected: int, offline: int
) -> None:
    desktops = [Desktop(user=f"u{n}", machine=f"pc{n}", session=f"s{n}") for n in range(connected)]
    desktops += [Desktop(user=f"o{n}") for n in range(offline)]
    sizes = wave_sizes(amounts, len(desktops))

    placed = in_waves("run", desktops, sizes)

    assert [each.number for each in placed] == list(range(1, len(desktops) + 1))
    assert sorted(each.user for each in placed) == sorted(each.user for each in desktops)
    assert [Counter(each.wave for each in placed)[n] for n in range(1, len(sizes) + 1)] == sizes
    assert [each.wave for each in placed] == sorted(each.wave for each in placed)
    assert [each.session is None for each in placed] == [False] * connected + [True] * offline


def test_other_people_are_in_the_first_wave_of_another_run() -> None:
    desktops = [Desktop(user=f"u{n}", machine="pc", session="s") for n in range(100)]

    first = [{each.user for each in in_waves(run, desktops, [10, 90]) if each.wave == 1} for run in ("a", "b", "a")]

    assert first[0] == first[2]
    assert first[0] != first[1]


@given(st.integers(0, 100), st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_percentage_is_exceeded_by_a_larger_share_only(percentage: int, count: int, total: int) -> None:
    limit = Amount(percentage, is_percentage=True)

    assert limit.is_exceeded(count, total) == (count * 100 > percentage * total)
    assert not limit.is_exceeded(0, total)
    assert Amount(percentage).is_exceeded(count, total) == (count > percentage)
