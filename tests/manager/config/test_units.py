import pytest

from rostrum.manager.config.options import OPTIONS
from rostrum.manager.config.units import with_unit


@pytest.mark.parametrize(
    ("amount", "unit", "text"),
    [
        (3600, "seconds", "3600 s (1 hour)"),
        (300, "seconds", "300 s (5 minutes)"),
        (2_592_000, "seconds", "2592000 s (30 days)"),
        (30, "seconds", "30 s"),
        (90, "seconds", "90 s"),
        (0, "seconds", "0 s"),
        (500, "milliseconds", "500 ms"),
        (5000, "milliseconds", "5000 ms (5 seconds)"),
        (90, "days", "90 days"),
        (1, "days", "1 day"),
        (0, "bytes", "0 bytes"),
        (1, "bytes", "1 byte"),
        (1023, "bytes", "1023 bytes"),
        (1_500_000, "bytes", "1500000 bytes (1.4 MiB)"),
        (16_777_216, "bytes", "16777216 bytes (16 MiB)"),
        (1024**4 * 2048, "bytes", "2251799813685248 bytes (2048 TiB)"),
        (1, "processes", "1 process"),
        (200, "crash reports", "200 crash reports"),
        (-1, "days", "-1 (no limit)"),
        (-1, "bytes", "-1 (no limit)"),
    ],
)
def test_amounts_have_their_unit(amount: int, unit: str, text: str) -> None:
    assert with_unit(amount, unit) == text


def test_every_number_but_the_port_has_a_unit() -> None:
    assert [name for name, info in OPTIONS.items() if info.kind == "number" and info.unit is None] == ["port"]
