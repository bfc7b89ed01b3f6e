"""Hides secrets in the edits of audit entries, which are kept for years and cannot be changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.json_diff import Edit
from rostrum.base.secret_text import SECRET, is_secret_name, without_secrets

LARGEST_VALUE = 2048
"""Size of the largest value that an entry contains."""

_NAMING = frozenset({"name", "key", "header", "field", "id", "parameter", "variable"})
_NAMED = frozenset({"value", "values", "val", "content", "data", "default"})
"""Members of a pair such as ``{"name": "Authorization", "value": "…"}``, in lower case."""


def shown_edit(edit: Edit, documents: Sequence[Any]) -> dict[str, Any]:
    """Return an edit without secrets and long values; the documents before and after it have the names of values."""
    is_secret = any(is_secret_name(str(step)) for step in edit.steps) or any(
        _is_in_secret_pair(document, edit.steps) for document in documents
    )
    shown: dict[str, Any] = {}
    for member, value in edit.as_json().items():
        if member in ("op", "path"):
            shown[member] = value
            continue
        masked = value if _is_huge(value) else _masked(value, is_secret=is_secret)
        size = len(json_text.dump(masked))
        if size > LARGEST_VALUE:
            shown[f"{member}Size"] = size
        else:
            shown[member] = masked
    return shown


def _is_huge(value: Any) -> bool:
    """Return whether a value is too large to be included. Secrets are not searched for in such a value."""
    waiting, values = [value], 0
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, (dict, list)):
            # Each value needs at least one byte, and a comma or a bracket.
            values += len(inner)
            if values > LARGEST_VALUE:
                return True
            waiting += inner.values() if isinstance(inner, dict) else inner
    return False


def _masked(value: Any, *, is_secret: bool) -> Any:
    if isinstance(value, dict):
        pairs = _secret_members(value)
        return {
            name: _masked(member, is_secret=is_secret or name in pairs or is_secret_name(name))
            for name, member in value.items()
        }
    if isinstance(value, list):
        named = _is_secret_list(value)
        return [_masked(item, is_secret=is_secret or (named and place > 0)) for place, item in enumerate(value)]
    if not isinstance(value, str) or not value:
        return value
    return SECRET if is_secret else _masked_text(value)


def _masked_text(text: str) -> str:
    if len(text) > LARGEST_VALUE:
        # Too long to be included.
        return text
    if text.lstrip()[:1] in ("{", "["):
        try:
            inner = json_text.parse(text)
        except Invalid:
            return without_secrets(text)
        masked = _masked(inner, is_secret=False)
        return text if masked == inner else json_text.dump(masked).decode()
    return without_secrets(text)


def _secret_members(value: Mapping[str, Any]) -> frozenset[str]:
    """Return the members of a pair of name and value whose name is that of a secret."""
    names = (member for name, member in value.items() if name.lower() in _NAMING and isinstance(member, str))
    if not any(map(is_secret_name, names)):
        return frozenset()
    return frozenset(name for name in value if name.lower() in _NAMED)


def _is_secret_list(value: Sequence[Any]) -> bool:
    """Return whether an array is a pair of name and value, such as ``["Authorization", "…"]``."""
    return len(value) == 2 and all(isinstance(one, str) for one in value) and is_secret_name(value[0])


def _is_in_secret_pair(document: Any, steps: Sequence[str | int]) -> bool:
    return any(
        (isinstance(around, dict) and step in _secret_members(around))
        or (isinstance(around, list) and step == 1 and _is_secret_list(around))
        for around, step in _way(document, steps)
    )


def _way(document: Any, steps: Sequence[str | int]) -> Iterator[tuple[Any, str | int]]:
    """Yield each object or array on a path, with the next step, as far as the document has the path."""
    for step in steps:
        yield document, step
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return
