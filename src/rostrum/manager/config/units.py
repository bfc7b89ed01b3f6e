"""Amounts with their units, as people read them: ``3600 s (1 hour)``, ``16777216 bytes (16 MiB)``, ``90 days``."""

_SHORT = {"seconds": "s", "milliseconds": "ms"}
_TIMES = (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000))
_MILLISECONDS = {"seconds": 1000, "milliseconds": 1}
_SIZES = ("KiB", "MiB", "GiB", "TiB")


def with_unit(amount: int, unit: str) -> str:
    """Write an amount in its unit, and large times and sizes also in a larger unit; below zero there is no limit."""
    if amount < 0:
        return f"{amount} (no limit)"
    text = f"{amount} {_SHORT[unit]}" if unit in _SHORT else _counted(amount, unit)
    larger = _larger(amount, unit)
    return f"{text} ({larger})" if larger else text


def _larger(amount: int, unit: str) -> str | None:
    if unit == "bytes":
        return _size(amount)
    milliseconds = amount * _MILLISECONDS.get(unit, 0)
    # Only times that need no rounding: 90 seconds are clearer than 1.5 minutes.
    fitting = ((name, length) for name, length in _TIMES if milliseconds and milliseconds % length == 0)
    name, length = next(fitting, (unit, 1))
    return None if name == unit else _counted(milliseconds // length, name)


def _size(amount: int) -> str | None:
    size, name = float(amount), None
    for larger in _SIZES:
        if size < 1024:
            break
        size, name = size / 1024, larger
    return None if name is None else f"{size:.1f}".removesuffix(".0") + f" {name}"


def _counted(amount: int, unit: str) -> str:
    if amount == 1:
        unit = unit.removesuffix("es") if unit.endswith("sses") else unit.removesuffix("s")
    return f"{amount} {unit}"
