"""Groups for tests: rectangles cut into windows, and what is left when some are taken away."""

from collections.abc import Mapping

from hypothesis import strategies as st

from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.groups import WindowGroup

LEAST = 120


def group(windows: Mapping[str, Bounds], **members: object) -> WindowGroup:
    return WindowGroup(**{"id": "g", "type": "Web", "windows": windows, **members})  # type: ignore[arg-type]


@st.composite
def tilings(draw: st.DrawFn) -> WindowGroup:
    """A rectangle cut again and again, with the distance of neighbours between the parts."""
    edge = draw(st.integers(0, 10))
    width, height = draw(st.integers(300, 1600)), draw(st.integers(300, 1200))
    parts = [Bounds(draw(st.integers(-500, 500)), draw(st.integers(-500, 500)), width, height)]
    for _ in range(draw(st.integers(0, 5))):
        one = parts.pop(draw(st.integers(0, len(parts) - 1)))
        parts += _cut(draw, one, edge)
    return group({str(number): part for number, part in enumerate(parts)}, edge=edge)


def _cut(draw: st.DrawFn, one: Bounds, edge: int) -> list[Bounds]:
    upright = draw(st.booleans())
    length = int(one.width if upright else one.height)
    if length < 2 * LEAST + edge:
        return [one]
    first = draw(st.integers(LEAST, length - LEAST - edge))
    if upright:
        left = one.left + first + edge
        return [
            Bounds(one.left, one.top, first, one.height),
            Bounds.between(left, one.top, one.right, one.bottom),
        ]
    top = one.top + first + edge
    return [Bounds(one.left, one.top, one.width, first), Bounds.between(one.left, top, one.right, one.bottom)]
