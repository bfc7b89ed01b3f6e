"""Placeholders: ``%NAME%`` and ``${NAME}`` in paths and addresses, filled in from variables."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"%(?P<percent>[A-Za-z_][A-Za-z0-9_.()-]*)%|\$\{(?P<braces>[^{}\s]+)\}")
_HEX_PAIR = re.compile(r"[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text with its placeholders filled in, and the names that no variable has (left as they stood)."""

    text: str
    unknown: tuple[str, ...] = ()


def expand(text: str, variables: Mapping[str, str]) -> Expanded:
    """Fill in each placeholder once; a value is never searched for placeholders of its own."""
    parts: list[str] = []
    unknown: dict[str, None] = {}
    start = 0
    while match := _PLACEHOLDER.search(text, start):
        name = match["percent"] or match["braces"]
        parts.append(text[start : match.start()])
        start = match.end()
        if name in variables:
            parts.append(variables[name])
        elif match["percent"] and _HEX_PAIR.fullmatch(name):
            # An address holds escapes such as %C3%A4: only the first percent sign is used up.
            parts.append("%" + name)
            start -= 1
        else:
            parts.append(match[0])
            unknown[name] = None
    return Expanded("".join([*parts, text[start:]]), tuple(unknown))
