"""The addresses that pages may load, and the response headers that they see; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rostrum.base.address_rules import admits, rule_error

_ACTIONS: tuple[Literal["append", "remove", "replace"], ...] = ("append", "remove", "replace")
_NOTHING = "(?!)"
"""A pattern that matches nothing."""


@dataclass(frozen=True, slots=True)
class Directive:
    """A change to one directive of a header such as Content-Security-Policy."""

    name: str
    action: Literal["append", "remove", "replace"]
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderRule:
    """The change of one header."""

    remove: bool = False
    directives: tuple[Directive, ...] = ()

    def apply(self, value: str) -> str | None:
        """Return the value for the page; None if the header is removed."""
        if self.remove:
            return None
        parts = {part.split()[0].lower(): part.split()[1:] for part in value.split(";") if part.strip()}
        for one in self.directives:
            if one.action == "remove":
                parts.pop(one.name.lower(), None)
            else:
                kept = parts.get(one.name.lower(), []) if one.action == "append" else []
                parts[one.name.lower()] = [*kept, *one.value.split()]
        return "; ".join(" ".join([name, *words]) for name, words in parts.items()) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequests:
    """The rules for all requests of pages.

    Attributes:
        allowed: Rule for the addresses; None allows all addresses, and an invalid rule none.
        headers: Changes of headers, by their names in lower case.
    """

    allowed: str | None = None
    headers: Mapping[str, HeaderRule] = field(default_factory=dict)

    def passes(self, address: str) -> bool:
        """Return whether a page may load an address."""
        return self.allowed is None or admits(self.allowed, address)

    def shown(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of a response for the page."""
        seen = {name: self._shown(name, value) for name, value in headers.items()}
        return {name: value for name, value in seen.items() if value is not None}

    def _shown(self, name: str, value: str) -> str | None:
        rule = self.headers.get(name.lower())
        return value if rule is None else rule.apply(value)


def page_requests(url_filter: Any, response_headers: Any) -> tuple[PageRequests, tuple[str, ...]]:
    """Read windows.urlFilter and windows.responseHeaders; return the rules, and problems.

    An invalid filter blocks all requests, because it was meant to block some addresses.
    """
    problems: list[str] = []
    allowed = None
    if url_filter is not None:
        allowed = url_filter if isinstance(url_filter, str) else _NOTHING
        error = rule_error(url_filter)
        if error:
            problems.append(f"windows.urlFilter cannot be used, so pages load nothing: {error}")
    headers = {}
    if response_headers is not None and not isinstance(response_headers, Mapping):
        problems.append("windows.responseHeaders must be an object of header names")
    elif response_headers is not None:
        for name, written in response_headers.items():
            rule = _header_rule(written)
            if rule is None:
                problems.append(f"windows.responseHeaders.{name} must have remove, or directives of name and action")
            else:
                headers[str(name).lower()] = rule
    return PageRequests(allowed=allowed, headers=headers), tuple(problems)


def _header_rule(written: Any) -> HeaderRule | None:
    if not isinstance(written, Mapping):
        return None
    listed = written.get("directives") or []
    if not isinstance(listed, list):
        return None
    directives = [_directive(one) for one in listed]
    known = tuple(one for one in directives if one is not None)
    return HeaderRule(remove=written.get("remove") is True, directives=known) if len(known) == len(listed) else None


def _directive(written: Any) -> Directive | None:
    if not isinstance(written, Mapping) or not isinstance(written.get("name"), str) or not written["name"].strip():
        return None
    action = next((one for one in _ACTIONS if one == written.get("action")), None)
    return None if action is None else Directive(written["name"], action, str(written.get("value") or ""))
