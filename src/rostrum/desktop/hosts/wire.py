"""Encoding of the port's arguments and results as JSON, based on the type hints of the port.

New methods, reports or actions of the port need no code here.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from rostrum.base.json_text import decoder
from rostrum.desktop.hosts.reports import Reports


def _to_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be sent to the window process")


_ENCODER = msgspec.json.Encoder(enc_hook=_to_json)


def encode(value: Any, kind: Any = Any) -> bytes:
    """Encode a value; for a union of dataclasses, the name is included."""
    if _choices(kind) and value is not None:
        return _ENCODER.encode([type(value).__name__, value])
    return _ENCODER.encode(value)


def decode(data: bytes, kind: Any) -> Any:
    """Decode a value; raise msgspec.MsgspecError if it does not have this type."""
    choices = _choices(kind)
    if not choices or data == b"null":
        return _decoder(kind).decode(data)
    name, body = msgspec.json.decode(data, type=tuple[str, msgspec.Raw])
    if name not in choices:
        raise msgspec.ValidationError(f"{name!r} is not known")
    return _decoder(choices[name]).decode(body)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return decoder(Any if kind in (None, NoneType) else kind)


@cache
def _choices(kind: Any) -> Mapping[str, type]:
    """Return the dataclasses of a union by name; JSON alone does not distinguish them."""
    if get_origin(kind) not in (Union, UnionType):
        return {}
    classes = [one for one in get_args(kind) if is_dataclass(one) and isinstance(one, type)]
    return {one.__name__: one for one in classes} if len(classes) > 1 else {}


class Operation:
    """The encoding of one method of the port."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        """Read the type hints of the method."""
        hints = get_type_hints(function)
        self.name = name
        self._signature = inspect.signature(function)
        # The reports object stays in the platform's process.
        self._sent = [one for one in self._signature.parameters if one != "self" and hints[one] is not Reports]
        self._kinds = [hints[one] for one in self._sent]
        self._result = hints.get("return", Any)

    def encode(self, *args: Any, **more: Any) -> bytes:
        """Encode the arguments of a call."""
        return self.encode_values(self.values(*args, **more))

    def values(self, *args: Any, **more: Any) -> tuple[Any, ...]:
        """Return the arguments to encode, in their order."""
        bound = self._signature.bind(None, *args, **more)
        bound.apply_defaults()
        return tuple(bound.arguments[one] for one in self._sent)

    def encode_values(self, values: Sequence[Any]) -> bytes:
        """Encode arguments in their order."""
        parts = [encode(value, kind) for value, kind in zip(values, self._kinds, strict=True)]
        return b"[" + b",".join(parts) + b"]"

    def decode(self, data: bytes) -> Sequence[Any]:
        """Decode the arguments of a call."""
        parts = msgspec.json.decode(data, type=list[msgspec.Raw])
        if len(parts) != len(self._kinds):
            raise msgspec.ValidationError(f"{self.name} has {len(self._kinds)} arguments, not {len(parts)}")
        return [decode(bytes(part), kind) for part, kind in zip(parts, self._kinds, strict=True)]

    def encode_result(self, value: Any) -> bytes:
        """Encode the result of the call."""
        return encode(value, self._result)

    def decode_result(self, data: bytes) -> Any:
        """Decode the result of the call."""
        return decode(data, self._result)


@cache
def operations(interface: type) -> Mapping[str, Operation]:
    """Return the asynchronous methods of an interface by name."""
    return {
        name: Operation(name, function)
        for name, function in inspect.getmembers(interface, inspect.iscoroutinefunction)
        if not name.startswith("_")
    }
