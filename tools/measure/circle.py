"""The units of the manager that import each other in a circle.

A unit is a module or folder directly in ``src/rostrum/manager``. A unit imports another one if a module of the first
imports a module of the second. Imports inside functions and below ``TYPE_CHECKING`` count, because a reader of the unit
needs the other one as well. The circle is the largest set of units in which each unit reaches each other one through
imports. A pair is two units of the manager that import each other directly.
"""

from collections.abc import Mapping

import grimp

from tools.measure.figure import Figure

PACKAGE = "rostrum.manager"
Imports = Mapping[str, set[str]]


def measure() -> Figure:
    """Find the circle in the real import graph."""
    imports = unit_imports(grimp.build_graph(PACKAGE.partition(".")[0], cache_dir=None), PACKAGE)
    circle, pairs = largest_circle(imports), mutual_imports(imports)
    outside = sorted({*imports} - {*circle})
    values = {
        "units": len(imports),
        "circle": len(circle),
        "pairs": len(pairs),
        "imports": sum(map(len, imports.values())),
        "members": circle,
        "outside": outside,
    }
    return Figure(
        values,
        [
            f"{len(circle)} of {len(imports)} units; {len(pairs)} pairs import each other directly",
            f"outside the circle: {', '.join(outside) or 'no unit'}",
        ],
    )


def unit_imports(graph: grimp.ImportGraph, package: str) -> dict[str, set[str]]:
    """Return the units that each unit of a package imports, by their names in the package."""
    imports: dict[str, set[str]] = {name.removeprefix(f"{package}."): set() for name in graph.find_children(package)}
    for name in graph.find_descendants(package):
        unit = _unit_of(name, package)
        for other in graph.find_modules_directly_imported_by(name):
            if other.startswith(f"{package}.") and _unit_of(other, package) != unit:
                imports[unit].add(_unit_of(other, package))
    return imports


def largest_circle(imports: Imports) -> list[str]:
    """Return the units of the largest circle; empty if no units import each other."""
    reached = {unit: _reached(unit, imports) for unit in imports}
    circles = [sorted(other for other in reached[unit] if unit in reached[other]) for unit in sorted(imports)]
    return max(circles, key=len, default=[])


def mutual_imports(imports: Imports) -> list[tuple[str, str]]:
    """Return each pair of units that import each other."""
    return sorted(
        (unit, other) for unit, others in imports.items() for other in others if unit < other and unit in imports[other]
    )


def _reached(unit: str, imports: Imports) -> set[str]:
    """Return the units that a unit imports, directly or through others; itself only if it is in a circle."""
    found: set[str] = set()
    waiting = list(imports[unit])
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += imports[other]
    return found


def _unit_of(module: str, package: str) -> str:
    return module.removeprefix(f"{package}.").partition(".")[0]
