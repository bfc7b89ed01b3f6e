"""Turns JSON values into request bodies, and what is wrong with them into our words."""

from typing import Any

from pydantic import ValidationError

from rostrum.base.errors import Invalid
from rostrum.contracts.body import Body
from rostrum.contracts.explain import problems_of

__all__ = ["BODY_DECODER"]


def _is_body(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Body)


def _decode(kind: type[Body], value: Any) -> Body:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise Invalid("the request has problems", problems_of(error)) from None


BODY_DECODER = (_is_body, _decode)
