"""Topics of the manager do not form large circles of imports."""

import grimp

from tools.measure.circle import PACKAGE, largest_circle, unit_imports

CEILING = 8
"""The number of units in the largest circle. It only falls: lower it when the circle becomes smaller."""


def test_the_largest_circle_of_units_is_not_above_its_ceiling() -> None:
    circle = largest_circle(unit_imports(grimp.build_graph("rostrum", cache_dir=None), PACKAGE))

    assert len(circle) == CEILING, circle
