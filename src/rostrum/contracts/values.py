"""The plain values of a contract: names, numbers, words, lists and free objects."""

import unicodedata
from typing import Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, ValidationError
from pydantic_core.core_schema import (
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    no_info_before_validator_function,
    with_info_wrap_validator_function,
)

from rostrum.contracts.inspection import Inspection

__all__ = ["AnyCase", "Free", "Many", "Name", "Number", "Table"]

_MOST_ITEMS = 2000
_UNPRINTABLE = ("Cc", "Cs")

T = TypeVar("T")


def _refuse_unprintable(name: str) -> str:
    for position, character in enumerate(name, start=1):
        if unicodedata.category(character) in _UNPRINTABLE:
            facts = {"code": f"U+{ord(character):04X}", "position": position}
            raise PydanticCustomError("unprintable", "must not hold a control character", facts)
    return name


class _FoldCase:
    """Reads a word in any mixture of upper and lower case as the one listed."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        words = {word.lower(): word for word in get_args(source)}

        def fold(value: Any) -> Any:
            return words.get(value.lower(), value) if isinstance(value, str) else value

        return no_info_before_validator_function(fold, handler(source))


class _Counted:
    """Stops looking into lists once a document has shown more faults than anybody reads."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return with_info_wrap_validator_function(_look_while_it_helps, handler(source))


def _look_while_it_helps(value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    inspection = info.context
    if not isinstance(inspection, Inspection):
        return handler(value)
    if inspection.has_enough:
        raise PydanticCustomError("unread", "was not looked at")
    try:
        return handler(value)
    except ValidationError as error:
        inspection.spent += error.error_count()
        raise


Name = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(_refuse_unprintable)]
"""What an app, a layout or an owner is called; safe to show, log and use as a key."""

Number = Annotated[float, Field(allow_inf_nan=False)]
"""Any JSON number, whole or not."""

Free = dict[str, Any]
"""An object whose members are nobody's business here."""

AnyCase = Annotated[T, _FoldCase()]
"""One of some words, ``AnyCase[Literal[…]]``, matched without regard to case."""

Many = Annotated[list[T], Field(max_length=_MOST_ITEMS), _Counted()]
"""A list; longer ones than any real document has are refused before they cost memory."""

Table = Annotated[dict[str, T], Field(max_length=_MOST_ITEMS)]
"""Names to values of one kind."""
