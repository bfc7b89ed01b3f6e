"""Simple values of contracts: names, numbers, words, lists and free objects."""

import re
from typing import Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import (
    ValidationInfo,
    no_info_before_validator_function,
    with_info_before_validator_function,
)

from rostrum.contracts.validation_messages import charge

T = TypeVar("T")

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def _refuse_control_characters(name: str) -> str:
    found = _CONTROL.search(name)
    if found is not None:
        facts = {"code": f"U+{ord(found[0]):04X}", "position": found.start() + 1}
        raise PydanticCustomError("control_character", "must not hold a control character", facts)
    return name


class _FoldCase:
    """Accepts a word in any letter case, and returns the listed one."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        words = {word.lower(): word for word in get_args(source)}

        def fold(value: Any) -> Any:
            return words.get(value.lower(), value) if isinstance(value, str) else value

        return no_info_before_validator_function(fold, handler(source))


class _Counted:
    """Counts the entries before they are validated."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return with_info_before_validator_function(_count, handler(source))


def _count(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, list | dict):
        charge(info.context, len(value))
    return value


DocumentName = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(_refuse_control_characters)]
"""The name of an app, a layout or an owner; safe to display, log and use as a key."""

Number = Annotated[float, Field(allow_inf_nan=False)]
"""Any JSON number."""

Free = dict[str, Any]
"""An object with arbitrary members."""

AnyCase = Annotated[T, _FoldCase()]
"""One of some words, ``AnyCase[Literal[…]]``, matched without regard to case."""

Many = Annotated[list[T], _Counted()]
"""A list of values of one kind."""

Table = Annotated[dict[str, T], _Counted()]
"""Names to values of one kind."""
