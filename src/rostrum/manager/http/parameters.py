"""Path and query parameters: refuses unknown names, and describes invalid values."""

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from litestar.connection import Request
from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.wording import alternatives, quoted

_LIST_QUERY = "wanted"
"""The dependency of list handlers that reads all parameters, including filters, and validates them itself."""

_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"Expected `int` >= (\S+)"), "must be at least {}"),
    (re.compile(r"Expected `int` <= (\S+)"), "must be at most {}"),
    (re.compile(r"Expected `str` of length <= (\S+)"), "must have at most {} characters"),
    (re.compile(r"Expected `str` matching regex .*"), "must not hold a NUL character"),
    (re.compile(r"Expected `int\b.*"), "must be a whole number"),
    (re.compile(r"Expected `bool\b.*"), "must be true or false"),
)
_WRONG_TYPE = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<found>[^`]+)`")
_TYPES = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "text",
}
_NOT_ONE_OF = re.compile(r"Invalid enum value .*")


async def refuse_unknown_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse a request of an administrator with an unknown parameter, which would otherwise be ignored without notice.

    Requests of desktops are not checked: they contain parameters for other servers.
    """
    # A coroutine, although nothing is awaited: the framework starts a thread for every call of a plain function.
    if not request.scope["query_string"] or "/admin/" not in request.scope["path"]:
        return
    known = _query_parameters(request.route_handler)
    if known is None:
        return
    problems = [Problem(path=name, message=_unknown(name, known)) for name in request.query_params if name not in known]
    if problems:
        raise Invalid("unknown parameters", problems)


def in_plain_words(handler: BaseRouteHandler, name: str, message: str) -> str:
    """Describe an invalid parameter in the format of other errors."""
    if _NOT_ONE_OF.fullmatch(message):
        field = (_query_parameters(handler) or {}).get(name)
        words = [quoted(word) for word in _words(field.annotation)] if field is not None else []
        return f"must be {alternatives(words)}" if words else message
    for pattern, plain in _PLAIN:
        match = pattern.fullmatch(message)
        if match is not None:
            return plain.format(*match.groups())
    return body_in_plain_words(message)


def body_in_plain_words(message: str) -> str:
    """Describe an invalid value for people, without internal types of the framework."""
    match = _WRONG_TYPE.match(message)
    if match is None:
        return message
    wanted = [_TYPES.get(name, name) for name in match["wanted"].split(" | ") if name != "null"]
    return f"must be {alternatives(wanted)}, not {_TYPES.get(match['found'], match['found'])}"


def _query_parameters(handler: BaseRouteHandler) -> Mapping[str, FieldDefinition] | None:
    fields = handler.parsed_fn_signature.parameters
    if _LIST_QUERY in fields:
        return None
    return {
        field.kwarg_definition.name or name: field
        for name, field in fields.items()
        if isinstance(field.kwarg_definition, QueryParameter)
    }


def _unknown(name: str, known: Mapping[str, FieldDefinition]) -> str:
    if not known:
        return "this address takes no parameters"
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {quoted(close[0])}?" if close else f"use {', '.join(sorted(known))}"
    return f"is not known here; {hint}"


def _words(annotation: Any) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
        return
    for part in get_args(annotation):
        yield from _words(part)
