"""Finds every place of a document by looking at the models, and what may stand there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from rostrum.contracts.apps.definition import DETAILS, AppDefinition
from rostrum.contracts.apps.workspaces import WorkspaceToOpen
from rostrum.contracts.fdc3 import CitrixDetails, Fdc3Record, NativeDetails, OtherDetails, WebDetails
from rostrum.contracts.layouts.layout import STATES, Component, Layout
from rostrum.contracts.shape import Shape, json_name

Json = Any
Build = Callable[[Json], Json]

SAMPLES: dict[str, list[Json]] = {
    "boolean": [True, False],
    "text": ["no such word"],
    "integer": [7],
    "fraction": [7.5],
    "list": [[]],
    "object": [{}],
}
EVERY_KIND = frozenset(SAMPLES)
PLAIN = {bool: {"boolean"}, str: {"text"}, int: {"integer"}, float: {"integer", "fraction"}}


@dataclass(frozen=True, kw_only=True)
class Place:
    """One property in a document that is right but for what is put there."""

    path: str
    name: str
    field: FieldInfo
    build: Build

    @property
    def annotation(self) -> Any:
        return self.field.annotation

    @property
    def has_default(self) -> bool:
        return not self.field.is_required() and self.field.default is not None

    @property
    def default(self) -> Json:
        """Answer the default as JSON, also where it stands for a shape."""
        about = self.field.json_schema_extra
        return about["default"] if isinstance(about, dict) and "default" in about else self.field.default


def arms(annotation: Any) -> list[Any]:
    """Answer the alternatives of an annotation without pydantic's notes and without None."""
    if get_origin(annotation) is Annotated:
        return arms(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [bare for arm in get_args(annotation) for bare in arms(arm) if bare is not NoneType]
    return [annotation]


def kinds(annotation: Any) -> set[str]:
    """Answer which kinds of JSON values may stand there."""
    allowed: set[str] = set()
    for arm in arms(annotation):
        origin = get_origin(arm) or arm
        if arm is Any:
            return set(EVERY_KIND)
        if origin is Literal:
            allowed.add("text")
        else:
            allowed |= PLAIN.get(origin, {"list"} if origin is list else {"object"})
    return allowed


def words(annotation: Any) -> list[str]:
    """Answer the words that may stand there, if there is a list of them."""
    return [word for arm in arms(annotation) if get_origin(arm) is Literal for word in get_args(arm)]


def wrong(annotation: Any) -> list[Json]:
    """Answer values of every kind that may not stand there, and an unknown word where words are listed."""
    values = [value for kind in sorted(EVERY_KIND - kinds(annotation)) for value in SAMPLES[kind]]
    return values + SAMPLES["text"] if words(annotation) else values


def right(annotation: Any) -> Iterator[Json]:
    """Go through a value for each way in which the property may be filled, the smallest first."""
    for arm in arms(annotation):
        yield from _right(arm)


def _right(arm: Any) -> Iterator[Json]:
    origin = get_origin(arm) or arm
    if origin is Literal:
        yield from get_args(arm)
    elif origin is list:
        yield []
        yield from ([value] for value in right(get_args(arm)[0]))
    elif origin is dict:
        yield {}
        yield from ({"key": value} for value in right(get_args(arm)[1]))
    elif isinstance(origin, type) and issubclass(origin, Shape):
        yield smallest(origin)
    else:
        simple: dict[type, list[Json]] = {bool: [True, False], str: ["text"], int: [7], float: [7, 7.5]}
        yield from simple.get(arm, ["any", 1, {}, None])


def smallest(shape: type[Shape]) -> dict[str, Json]:
    """Write the smallest object of a shape."""
    if shape is WorkspaceToOpen:
        return {"layoutName": "saved"}
    return {member: next(right(field.annotation)) for member, field in members(shape).items() if field.is_required()}


def members(shape: type[Shape]) -> dict[str, FieldInfo]:
    """Answer the declared members of a shape by their JSON names."""
    # A model that names itself knows its fields only when it has been built.
    shape.model_rebuild()
    return {json_name(shape, name): field for name, field in shape.model_fields.items()}


def places(shape: type[Shape], build: Build, prefix: str = "", above: tuple[type[Shape], ...] = ()) -> Iterator[Place]:
    """Go through all properties of a shape and of the shapes inside it."""
    for member, field in members(shape).items():
        put = _putter(shape, member, build)
        yield Place(path=f"{prefix}{member}", name=member, field=field, build=put)
        if shape in (AppDefinition, Component, Fdc3Record) and member in ("details", "state"):
            continue
        for inner, path, wrap in _inner(field.annotation, f"{prefix}{member}", put):
            if inner not in above:
                yield from places(inner, wrap, f"{path}.", (*above, shape))


def _putter(shape: type[Shape], member: str, build: Build) -> Build:
    return lambda value: build({**smallest(shape), member: value})


def _inner(annotation: Any, path: str, put: Build) -> Iterator[tuple[type[Shape], str, Build]]:
    for arm in arms(annotation):
        origin = get_origin(arm) or arm
        if origin is list:
            yield from _inner(get_args(arm)[0], f"{path}[0]", lambda value: put([value]))
        elif origin is dict:
            yield from _inner(get_args(arm)[1], f"{path}.key", lambda value: put({"key": value}))
        elif isinstance(origin, type) and issubclass(origin, Shape):
            yield origin, path, put


def app_places(kind: str) -> list[Place]:
    """Answer the places of the details of one type of app."""
    return list(places(DETAILS[kind], lambda details: {"type": kind, "name": "app", "details": details}, "details."))


def top_places() -> list[Place]:
    """Answer the places of a definition outside its details."""
    return list(places(AppDefinition, lambda app: app))


def state_places(kind: str) -> list[Place]:
    """Answer the places of the state of one type of component."""

    def build(state: Json) -> Json:
        return {"name": "layout", "type": "Global", "components": [{"type": kind, "state": state}]}

    return list(places(STATES[kind], build, "components[0].state."))


def layout_places() -> list[Place]:
    """Answer the places of a layout outside the states of its components."""
    return list(places(Layout, lambda layout: layout))


RECORD_DETAILS: dict[str, type[Shape]] = {
    "web": WebDetails,
    "native": NativeDetails,
    "citrix": CitrixDetails,
    "onlineNative": WebDetails,
    "other": OtherDetails,
}


def record_places() -> list[Place]:
    """Answer the places of an FDC3 record outside its details."""
    return list(places(Fdc3Record, lambda record: record))


def record_details_places(kind: str) -> list[Place]:
    """Answer the places of the details of one type of FDC3 record."""
    head = {"appId": "app", "title": "App", "type": kind}
    return list(places(RECORD_DETAILS[kind], lambda details: {**head, "details": details}, "details."))
