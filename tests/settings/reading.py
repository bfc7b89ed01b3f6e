"""Short ways to write a document for one setting and to see what became of it."""

from typing import Any

from rostrum.settings.parse import parse_system


def tree(path: str, value: Any) -> Any:
    """Write a document that sets one thing."""
    for name in reversed(path.split(".")):
        value = {name: value}
    return value


def said(document: Any, **how: Any) -> list[tuple[str, str]]:
    """Give the severity and place of each problem."""
    return [(problem.severity.value, problem.path) for problem in parse_system(document, **how).problems]


def in_force(path: str, document: Any = None, **how: Any) -> Any:
    """Give what the settings hold at a path once a document, or an empty one, is read."""
    value: Any = parse_system(document or {}, **how).settings.model_dump(mode="json", by_alias=True)
    for name in path.split("."):
        value = value[name]
    return value


def taken(path: str, value: Any, **how: Any) -> Any:
    """Write one thing, want no problem, and give what is effective."""
    document = tree(path, value)
    assert said(document, **how) == []
    return in_force(path, document, **how)
