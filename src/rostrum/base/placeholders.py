"""Replaces the placeholders ``%NAME%`` and ``${NAME}`` in paths and addresses with the values of variables."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"%(?P<percent>[A-Za-z_][A-Za-z0-9_.()-]*)%|\$\{(?P<braces>[^{}\s]+)\}")
_HEX_PAIR = re.compile(r"[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text with its placeholders replaced, and the names of unknown variables, whose placeholders are unchanged."""

    text: str
    unknown: tuple[str, ...] = ()


def expand(text: str, variables: Mapping[str, str]) -> Expanded:
    """Replace each placeholder once; placeholders within values are not replaced."""
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
            # An address may contain escapes such as %C3%A4: if a name is unknown, continue after its first percent
            # sign.
            parts.append("%" + name)
            start -= 1
        else:
            parts.append(match[0])
            unknown[name] = None
    return Expanded("".join([*parts, text[start:]]), tuple(unknown))
