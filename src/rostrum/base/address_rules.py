"""Rules for web addresses, as settings and app definitions contain them.

A rule is a plain address, which allows its origin and all paths below its path, or a pattern. The addresses come from
pages, which are not trusted: rules are evaluated in linear time, and an address that programs could interpret in
different ways is refused.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote

from rostrum.base.addresses import url_origin
from rostrum.base.patterns import BadPattern, Pattern, compile_pattern

LONGEST_RULE = 4096
LONGEST_ADDRESS = 8192
"""Longer addresses match no rule."""

_MOST_STATES = 1000
_ASCII = "".join(chr(code) for code in range(0x21, 0x7F))
_PLAIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[^\s/?#()|*+^$\\\[\]{}@:]+)(?P<port>:[0-9]{1,5})?"
    r"(?P<path>/[^\s?#()|*+^$\\\[\]{}]*)?",
    re.IGNORECASE,
)
_WEB = re.compile(r"(?P<origin>https?:(?://[^/]*)?)(?P<path>.*)", re.IGNORECASE | re.DOTALL)
_DOT = re.compile("%2e", re.IGNORECASE)
BORDERS = "/?#"
"""Where a segment of an address ends."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain address: its origin, and a path at whose end a segment of the allowed paths ends."""

    origin: str
    path: str

    def admits(self, address: str) -> bool:
        origin, path = _split(address)
        # Servers may decode a path before or after they resolve its dots.
        decoded = _resolved(unquote(path).replace("\\", "/"))
        return origin == self.origin and self._begins(path, self.path) and self._begins(decoded, unquote(self.path))

    @staticmethod
    def _begins(path: str, wanted: str) -> bool:
        return path == wanted or path.startswith(f"{wanted.removesuffix('/')}/")


@dataclass(frozen=True, slots=True)
class Expression:
    """A pattern for the beginning of an address, up to its end or the end of a segment."""

    pattern: Pattern

    def admits(self, address: str) -> bool:
        return any(
            end == len(address) or address[end] in BORDERS or address[:end].endswith(tuple(BORDERS))
            for end in self.pattern.ends(address)
        )


def admits(rule: object, address: str) -> bool:
    """Return whether a rule allows an address; an invalid rule allows nothing."""
    normal = _normal(address)
    if not isinstance(rule, str) or normal is None:
        return False
    try:
        return read_rule(rule).admits(normal)
    except BadPattern:
        return False


def is_same(address: object, other: str) -> bool:
    """Return whether browsers request the same for two addresses."""
    return isinstance(address, str) and (address == other or _normal(address) == _normal(other) is not None)


def rule_error(rule: object) -> str | None:
    """Return why a rule cannot be used, or None."""
    if not isinstance(rule, str):
        return "must be text: an address, or a pattern"
    try:
        read_rule(rule)
    except BadPattern as error:
        return str(error)
    return None


@lru_cache(maxsize=256)
def read_rule(rule: str) -> Plain | Expression:
    """Return a rule in a form that can be evaluated; raise ``BadPattern`` for an invalid one."""
    plain = _PLAIN.fullmatch(rule) if len(rule) <= LONGEST_RULE else None
    if plain is None:
        return Expression(compile_pattern(rule, longest=LONGEST_RULE, most_states=_MOST_STATES, extended=True))
    origin = url_origin(f"{plain['scheme']}://{plain['host']}{plain['port'] or ''}")
    if origin is None:
        raise BadPattern("the host is not valid; write names with other letters as browsers send them (xn--…)")
    return Plain(origin, _resolved(_encoded(plain["path"] or "/")))


def _normal(address: str) -> str | None:
    """Return an address as browsers request it; ``None`` if it is too long or ambiguous."""
    if len(address) > LONGEST_ADDRESS:
        return None
    end = min((place for sign in "?#" if (place := address.find(sign)) >= 0), default=len(address))
    web = _WEB.fullmatch(address[:end])
    if web is None:
        normal = _encoded(address)
    else:
        origin = url_origin(web["origin"])
        if origin is None or "\\" in web["path"] or not web["path"].isprintable():
            return None
        normal = f"{origin}{_resolved(_encoded(web['path']))}{_encoded(address[end:])}"
    return normal if len(normal) <= LONGEST_ADDRESS else None


def _split(address: str) -> tuple[str, str]:
    """Return the origin and the path of a normal address."""
    web = _WEB.fullmatch(re.split("[?#]", address, maxsplit=1)[0])
    return (web["origin"], web["path"]) if web else ("", "")


def _encoded(text: str) -> str:
    return quote(text, safe=_ASCII)


def _resolved(path: str) -> str:
    """Return a path without the segments ``.`` and ``..``."""
    segments = path.split("/")[1:]
    kept: list[str] = []
    for place, segment in enumerate(segments):
        plain = _DOT.sub(".", segment)
        if plain not in (".", ".."):
            kept.append(segment)
            continue
        if plain == "..":
            kept[-1:] = []
        if place == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)
