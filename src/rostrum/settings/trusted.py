"""Constructs a section without validation, if all of its values are clearly valid.

Building a validator costs far more than reading a document with it, and most documents are valid. Only unclear values
are validated by pydantic, which then also provides the messages.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from pydantic import AfterValidator, BeforeValidator, Strict
from pydantic.fields import FieldInfo

from rostrum.settings.setting import Section
from rostrum.settings.types import Hint

S = TypeVar("S", bound=Section)
Convert = Callable[[Any], Any]
Inner = tuple[Any, ...]
_SAYS_NOTHING = (FieldInfo, Hint, Strict)


class _Doubt(ValueError):
    """A value that requires validation."""


def construct_trusted(cls: type[S], values: Mapping[str, Any]) -> S | None:
    """Construct a section from values by JSON name; None if validation is required."""
    known = _converters(cls)
    if not _required(cls) <= values.keys() or any(_is_odd(name) for name in values.keys() - known.keys()):
        return None
    try:
        right = {name: known[name](value) if name in known else value for name, value in values.items()}
    except ValueError:
        return None
    absent = {name: default for name, (alias, default) in _sections(cls).items() if alias not in right}
    given = {_attributes(cls)[name] for name in right if name in known}
    return cast("S", cls.model_construct(given, **absent, **right))


def _is_odd(name: str) -> bool:
    # Names with a special meaning for model_construct.
    return name.startswith("_") or name == "cls"


@cache
def _converters(cls: type[Section]) -> Mapping[str, Convert]:
    return {
        field.alias or name: _ruled(_converter(field.annotation), field.metadata)
        for name, field in cls.model_fields.items()
    }


@cache
def _sections(cls: type[Section]) -> Mapping[str, tuple[str, Any]]:
    """Create the default sections once: they are immutable, and creating them takes long."""
    return {
        name: (field.alias or name, field.get_default(call_default_factory=True, validated_data={}))
        for name, field in cls.model_fields.items()
        if field.default_factory is not None
    }


@cache
def _attributes(cls: type[Section]) -> Mapping[str, str]:
    return {field.alias or name: name for name, field in cls.model_fields.items()}


@cache
def _required(cls: type[Section]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in cls.model_fields.items() if field.is_required())


def _converter(annotation: Any) -> Convert:
    make = _BY_ORIGIN.get(get_origin(annotation))
    if make is not None:
        return make(get_args(annotation))
    return _as_it_is if annotation is Any else _plain(annotation)


def _ruled(convert: Convert, rules: Iterable[Any]) -> Convert:
    for rule in rules:
        convert = _with_rule(convert, rule)
    return convert


def _with_rule(convert: Convert, rule: Any) -> Convert:
    function: Any = getattr(rule, "func", None)
    if isinstance(rule, AfterValidator):
        return lambda value: function(convert(value))
    if isinstance(rule, BeforeValidator):
        return lambda value: convert(function(value))
    if isinstance(rule, _SAYS_NOTHING):
        return convert
    low, high = getattr(rule, "ge", -math.inf), getattr(rule, "le", math.inf)
    return lambda value: _want(convert(value), fits=low <= value <= high)


def _annotated(inner: Inner) -> Convert:
    return _ruled(_converter(inner[0]), inner[1:])


def _any_of(inner: Inner) -> Convert:
    arms = [_converter(arm) for arm in inner if arm is not NoneType]

    def convert(value: Any) -> Any:
        for arm in arms[:-1]:
            try:
                return arm(value)
            except _Doubt:
                continue
        return arms[-1](value)

    return convert if len(arms) > 1 else arms[0]


def _word_of(words: Inner) -> Convert:
    return lambda value: _want(value, fits=isinstance(value, str) and value in words)


def _array_of(inner: Inner) -> Convert:
    item = _converter(inner[0])
    return lambda value: tuple(map(item, _want(value, fits=isinstance(value, list | tuple))))


def _object_of(inner: Inner) -> Convert:
    name, item = map(_converter, inner)
    return lambda value: {name(key): item(it) for key, it in _want(value, fits=isinstance(value, dict)).items()}


def _plain(kind: Any) -> Convert:
    return lambda value: _want(value, fits=_is_plain(kind, value))


def _is_plain(kind: Any, value: Any) -> bool:
    if kind is str:
        return isinstance(value, str) and (value.isascii() or _is_text(value))
    # bool is a subclass of int, and other subclasses can behave differently.
    return type(value) is kind and (kind is not float or math.isfinite(value))


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_it_is(value: Any) -> Any:
    return value


def _want(value: Any, *, fits: bool) -> Any:
    if not fits:
        raise _Doubt
    return value


_BY_ORIGIN: Mapping[Any, Callable[[Inner], Convert]] = {
    Annotated: _annotated,
    Union: _any_of,
    UnionType: _any_of,
    Literal: _word_of,
    tuple: _array_of,
    dict: _object_of,
}
