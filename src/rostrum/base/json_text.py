"""JSON bytes to values and back, hardened for input from strangers."""

from collections.abc import Iterable
from typing import Any

import msgspec

from rostrum.base.errors import Invalid
from rostrum.base.limits import MAX_DEPTH

__all__ = ["JsonObject", "array", "dump", "parse"]

JsonObject = dict[str, Any]

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()
_BYTE_ORDER_MARK = "\ufeff"


def parse(text: bytes | str) -> Any:
    """Read one JSON value, with or without a byte order mark; say in plain words what is wrong with anything else."""
    try:
        value = _decoder.decode(_without_mark(text))
    except RecursionError:
        raise Invalid(f"the JSON is nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError as error:
        raise Invalid(f"the body is not UTF-8: {error.reason} at byte {error.start}") from None
    except UnicodeEncodeError:
        raise Invalid("the JSON holds half of a surrogate pair, which no text can hold") from None
    except msgspec.DecodeError as error:
        raise Invalid(f"the body is not JSON: {error}") from None
    _refuse_deep(value)
    return value


def dump(value: Any) -> bytes:
    """Write a value as compact UTF-8 JSON."""
    return _encoder.encode(value)


def array(items: Iterable[bytes]) -> bytes:
    """Join ready JSON texts into one array without reading them again."""
    return b"[" + b",".join(items) + b"]"


def _without_mark(text: bytes | str) -> bytes | str:
    # Editors on Windows write the mark, and it means nothing in UTF-8.
    if isinstance(text, str):
        return text.removeprefix(_BYTE_ORDER_MARK)
    return text.removeprefix(_BYTE_ORDER_MARK.encode())


def _refuse_deep(value: Any) -> None:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
    raise Invalid(f"the JSON is nested deeper than {MAX_DEPTH} levels")
