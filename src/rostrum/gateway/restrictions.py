"""Visibility restrictions: the expression language of peers, methods and contexts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rostrum.base.patterns import BadPattern, Pattern, compile_pattern

LONGEST = 4000
DEEPEST = 50
MOST_EFFORT = 8000
"""The effort of comparing all patterns of a restriction once: about two milliseconds."""
_PART_BYTES = 400
_LONGEST_FROM_IDENTITY = 64
"""Characters and states of a pattern that is a part of an identity: it is read again at each comparison."""
_IDENTITY_EFFORT = 4000

_TOKEN = re.compile(r"\s*(?:'([^']+)'|(-?\d+(?:\.\d+)?)|([$#])([A-Za-z]+)|(==|!=|\?|&&|\|\||\(|\)))")

Identity = Mapping[str, Any]


class BadRestriction(ValueError):
    """A restriction is invalid."""


class Restriction(Protocol):
    """A parsed restriction."""

    def allows(self, own: Identity, other: Identity) -> bool:
        """Return whether access is allowed; ``own`` is its owner, ``other`` the peer that wants access."""
        ...


@dataclass(frozen=True, slots=True)
class _Value:
    value: str | float

    def of(self, own: Identity, other: Identity) -> Any:  # noqa: ARG002 - every operand is asked the same way
        return self.value


@dataclass(frozen=True, slots=True)
class _Attribute:
    name: str
    is_own: bool

    def of(self, own: Identity, other: Identity) -> Any:
        return (own if self.is_own else other).get(self.name)


@dataclass(frozen=True, slots=True)
class _Equal:
    left: "_Value | _Attribute"
    right: "_Value | _Attribute"
    wanted: bool

    def allows(self, own: Identity, other: Identity) -> bool:
        left, right = self.left.of(own, other), self.right.of(own, other)
        same = left == right and isinstance(left, bool) == isinstance(right, bool)
        return same is self.wanted


@dataclass(frozen=True, slots=True)
class _Matches:
    left: "_Value | _Attribute"
    right: "_Value | _Attribute"
    fixed: Pattern | None

    def allows(self, own: Identity, other: Identity) -> bool:
        left, right = self.left.of(own, other), self.right.of(own, other)
        if left is None or right is None:
            return False
        try:
            pattern = self.fixed or _from_identity(str(right))
        except BadPattern:
            return False
        return pattern.matches(str(left))

    @property
    def effort(self) -> int:
        """Return the effort of a comparison with the longest text."""
        return _IDENTITY_EFFORT if self.fixed is None else self.fixed.effort


@dataclass(frozen=True, slots=True)
class _Both:
    left: Restriction
    right: Restriction

    def allows(self, own: Identity, other: Identity) -> bool:
        return self.left.allows(own, other) and self.right.allows(own, other)


@dataclass(frozen=True, slots=True)
class _Either:
    left: Restriction
    right: Restriction

    def allows(self, own: Identity, other: Identity) -> bool:
        return self.left.allows(own, other) or self.right.allows(own, other)


def weight(restriction: Restriction | None) -> int:
    """Return about how many bytes a parsed restriction uses in memory: a short pattern can have many states."""
    total, todo = 0, [restriction]
    while todo:
        each = todo.pop()
        if isinstance(each, (_Both, _Either)):
            todo += (each.left, each.right)
        if each is not None:
            total += _PART_BYTES
        if isinstance(each, _Matches) and each.fixed is not None:
            total += each.fixed.weight
    return total


def parse_restriction(text: str | None) -> Restriction | None:
    """Parse a restriction; an empty text allows all."""
    if not text:
        return None
    if len(text) > LONGEST:
        raise BadRestriction(f"a restriction may have {LONGEST} characters at most")
    parser = _Parser(text)
    restriction = parser.chain()
    parser.finish()
    return restriction


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        self._effort = 0

    def finish(self) -> None:
        if self._at < len(self._tokens):
            raise BadRestriction(f"unexpected {self._tokens[self._at][1]!r}")

    def chain(self) -> Restriction:
        # Both operators have the same precedence and are left-associative.
        result = self._term()
        while (operator := self._peek()) in ("&&", "||"):
            self._take()
            result = (_Both if operator == "&&" else _Either)(result, self._term())
        return result

    def _peek(self) -> str:
        kind, text = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        return text if kind == "operator" else ""

    def _take(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise BadRestriction("it ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _term(self) -> Restriction:
        if self._peek() != "(":
            return self._comparison()
        self._take()
        self._depth += 1
        if self._depth > DEEPEST:
            raise BadRestriction("parentheses are nested too deeply")
        inside = self.chain()
        if self._take() != ("operator", ")"):
            raise BadRestriction("a parenthesis is not closed")
        self._depth -= 1
        return inside

    def _comparison(self) -> Restriction:
        left = self._operand()
        kind, operator = self._take()
        if kind != "operator" or operator not in ("==", "!=", "?"):
            raise BadRestriction(f"==, != or ? is missing before {operator!r}")
        right = self._operand()
        if operator != "?":
            return _Equal(left, right, operator == "==")
        try:
            matches = _Matches(left, right, compile_pattern(str(right.value)) if isinstance(right, _Value) else None)
        except BadPattern as error:
            raise BadRestriction(str(error)) from None
        # The texts that are compared come from other peers, so the effort is limited here.
        self._effort += matches.effort
        if self._effort > MOST_EFFORT:
            raise BadRestriction("it has too many patterns; combine them into one with |")
        return matches

    def _operand(self) -> _Value | _Attribute:
        kind, text = self._take()
        if kind == "text":
            return _Value(text)
        if kind == "number":
            return _Value(float(text))
        if kind in ("$", "#"):
            return _Attribute(text, is_own=kind == "#")
        raise BadRestriction(f"a text, a number, $name or #name is missing before {text!r}")


def _from_identity(text: str) -> Pattern:
    return compile_pattern(text, longest=_LONGEST_FROM_IDENTITY, most_states=_LONGEST_FROM_IDENTITY)


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise BadRestriction(f"cannot be read from {text[at : at + 20]!r} on")
        quoted, number, sign, name, operator = match.groups()
        if quoted is not None:
            found.append(("text", quoted))
        elif number is not None:
            found.append(("number", number))
        elif sign is not None:
            found.append((sign, name))
        else:
            found.append(("operator", operator))
        at = match.end()
    return found
