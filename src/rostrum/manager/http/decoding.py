"""Turns JSON values into request bodies, and what is wrong with them into our words."""

from typing import Any

from litestar.plugins.pydantic import PydanticInitPlugin
from pydantic import ValidationError

from rostrum.base.errors import Invalid
from rostrum.contracts.body import Body
from rostrum.contracts.explain import problems_of
from rostrum.contracts.inspection import Inspection


class BodyDecoding(PydanticInitPlugin):
    """The framework's plugin, but strict as the bodies say and with every problem in our words."""

    @classmethod
    def decoders(cls, validate_strict: bool = False) -> Any:  # noqa: ARG003, FBT001, FBT002 - the framework's shape
        """Give the one decoder that bodies need."""
        return [(_is_body, _decode)]


def _is_body(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Body)


def _decode(kind: type[Body], value: Any) -> Body:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        notes = Inspection()
        notes.names[id(value)] = frozenset(field.alias or name for name, field in kind.model_fields.items())
        raise Invalid("the request has problems", problems_of(error, value, notes)) from None
