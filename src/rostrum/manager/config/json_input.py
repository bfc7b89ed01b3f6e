"""Parses JSON that people write, strictly and with the position of problems."""

import json
from typing import Any, NoReturn


class JsonFault(ValueError):
    """The text is not JSON. The message states the reason without repeating the text."""


def parse_json(text: str) -> Any:
    """Parse one JSON value, or raise an error with line and column if they are known."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        reason = error.msg.split(": ")[0].removesuffix(" at")
        place = f"line {error.lineno}, column {error.colno}"
    except RecursionError:
        raise JsonFault("is nested too deep") from None
    except JsonFault:
        raise
    except ValueError:
        raise JsonFault("holds a number that is too long") from None
    raise JsonFault(f"is not valid JSON: {reason} at {place}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise JsonFault(f"has the member {name[:60]!a} twice in one object")
        members[name] = value
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise JsonFault(f"is not valid JSON: {name} is not a number")
