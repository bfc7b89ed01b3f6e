"""A picture of how many requests one core answers, drawn as SVG."""

import math
from collections.abc import Mapping
from html import escape

RATES: dict[str, float] = {}
"""Requests per second of one core, by what was asked; the benchmarks note them here."""

_ROW, _LEFT, _WIDTH, _TOP = 26, 330, 420, 34
_OURS, _OTHERS = "#2f6f9f", "#b8b8b8"


def bars(rates: Mapping[str, float]) -> str:
    """Draw one bar per rate, on a scale on which each step is ten times the one before."""
    lowest = 10.0 ** math.floor(math.log10(min(rates.values())))
    highest = 10.0 ** math.ceil(math.log10(max(rates.values())))
    height = _TOP + _ROW * len(rates) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 90} {height}" '
        'font-family="sans-serif" font-size="13">',
        "<title>Requests per second of one core</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="18">requests per second of one core</text>',
    ]
    step = lowest
    while step <= highest:
        x = _LEFT + _across(step, lowest, highest)
        parts.append(f'<line x1="{x:.0f}" y1="{_TOP - 6}" x2="{x:.0f}" y2="{height - 26}" stroke="#dddddd"/>')
        parts.append(f'<text x="{x:.0f}" y="{height - 8}" text-anchor="middle" fill="#555555">{step:,.0f}</text>')
        step *= 10
    for number, (label, rate) in enumerate(rates.items()):
        y = _TOP + _ROW * number
        long = _across(rate, lowest, highest)
        colour = _OURS if label.startswith("manager") else _OTHERS
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(label)}</text>')
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="{long:.0f}" height="18" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + long + 6:.0f}" y="{y + 14}">{rate:,.0f}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _across(rate: float, lowest: float, highest: float) -> float:
    return _WIDTH * math.log(rate / lowest) / math.log(highest / lowest)
