"""Rectangles and the room between them, for any rectangles."""

from hypothesis import given
from hypothesis import strategies as st

from rostrum.desktop.windows.geometry import Bounds, box, gaps

SMALL = st.integers(0, 12)
RECTANGLES = st.lists(st.builds(Bounds, SMALL, SMALL, st.integers(1, 8), st.integers(1, 8)), min_size=1, max_size=7)


def pixels(rectangle: Bounds) -> list[tuple[int, int]]:
    return [
        (x, y)
        for x in range(int(rectangle.left), int(rectangle.right))
        for y in range(int(rectangle.top), int(rectangle.bottom))
    ]


@given(RECTANGLES)
def test_the_rectangles_and_their_gaps_cover_the_box_and_no_gap_covers_a_pixel_twice(every: list[Bounds]) -> None:
    covered = {pixel for one in every for pixel in pixels(one)}
    free = [pixel for gap in gaps(every) for pixel in pixels(gap)]
    assert len(free) == len(set(free))
    assert not covered & set(free)
    assert covered | set(free) == set(pixels(box(every)))


@given(RECTANGLES)
def test_the_gaps_belong_to_the_rectangles_in_any_order(every: list[Bounds]) -> None:
    assert set(gaps(every)) == set(gaps(reversed(every)))


def test_a_hole_an_l_and_a_whole() -> None:
    ring = [Bounds(0, 0, 3, 1), Bounds(0, 1, 1, 1), Bounds(2, 1, 1, 1), Bounds(0, 2, 3, 1)]
    assert gaps(ring) == (Bounds(1, 1, 1, 1),)
    assert gaps([Bounds(0, 0, 1, 2), Bounds(1, 1, 1, 1)]) == (Bounds(1, 0, 1, 1),)
    assert gaps([Bounds(0, 0, 1, 2), Bounds(1, 0, 1, 2)]) == ()
