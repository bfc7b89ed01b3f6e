"""Base classes of request and response bodies, and the body of errors."""

from datetime import datetime
from inspect import get_annotations
from types import new_class
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class Body(BaseModel):
    """Base class of requests: unknown members are rejected, members that the server sets are ignored.

    So a document that was read can be changed and sent back, and misspelt members are still found.
    """

    # Most processes use only some of the models, so each is built at its first use.
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, strict=True, defer_build=True
    )

    server_filled: ClassVar[frozenset[str]] = frozenset(
        {"revision", "created", "createdBy", "modified", "modifiedBy", "problems"}
    )

    @model_validator(mode="before")
    @classmethod
    def _pass_over(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: member for key, member in value.items() if key not in cls.server_filled}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core))
        for name in sorted(cls.server_filled):
            schema["properties"].setdefault(name, {"description": "Set by the server; ignored in requests."})
        return schema


class Change(Body):
    """A change of some members; members that were not sent do not change."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = super().__get_pydantic_json_schema__(core, handler)
        for member in schema["properties"].values():
            # The default of a member does not apply to changes.
            member.pop("default", None)
        return schema

    def given(self) -> dict[str, Any]:
        """Return only the members that were sent, by their Python names."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class ClientBody(Body):
    """Base class of requests from desktops: additional members are accepted, so that no layout is lost."""

    model_config = ConfigDict(extra="ignore")


_PARTS_OF_CLASSES = frozenset({"__dict__", "__weakref__", "__annotate__", "__annotate_func__", "__annotations_cache__"})
"""Attributes of a class that Python has created for it, in all versions."""


class _Deferred(type):
    """The class of responses: pydantic creates the model of a response when it is used first.

    The manager writes responses without models. It needs the models only for the OpenAPI document, and creating all of
    them would be a noticeable part of each start.
    """

    @property
    def __deferred_model__(cls) -> type[BaseModel]:
        found: type[BaseModel] | None = cls.__dict__.get("_deferred_model")
        if found is None:
            parts = {name: value for name, value in cls.__dict__.items() if name not in _PARTS_OF_CLASSES}
            parts["__annotations__"] = get_annotations(cls)
            above = tuple(base.__deferred_model__ for base in cls.__bases__ if isinstance(base, _Deferred))
            found = cls._deferred_model = new_class(
                cls.__name__, above or (BaseModel,), exec_body=lambda body: body.update(parts)
            )
        return found

    def __call__(cls, **members: Any) -> Any:
        return cls.__deferred_model__(**members)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("model_"):
            return getattr(cls.__deferred_model__, name)
        raise AttributeError(name)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.__deferred_model__)

    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Describe a member of another response that has this type."""
        return handler(cls.__deferred_model__)


def model_of(view: type["View"]) -> type[BaseModel]:
    """Return the pydantic model of a response."""
    return view.__deferred_model__  # type: ignore[attr-defined, no-any-return]


if TYPE_CHECKING:

    class View(BaseModel):
        """Base class of responses."""

else:

    class View(metaclass=_Deferred):
        """Base class of responses."""

        model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", defer_build=True)


class ListView(View):
    """One page of a list, with the length of the complete list."""

    total: int = Field(description="How many there are, or as many as were counted when there are more.")
    more: bool = Field(
        default=False,
        description="True when the list is longer than the total: of users that are searched, or filtered in several "
        "ways, the first 1,000 are counted.",
    )


class Stamped(View):
    """Members of all stored documents in responses."""

    revision: int = Field(description="Number of the last change.")
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str


class ErrorDetail(View):
    """One problem of the request."""

    path: str = Field(description="Where it is: a JSON path, or the name of a parameter.")
    message: str
    suggestion: str | None = Field(None, description="The most similar valid name or word, if any.")


class ErrorQuota(View):
    """The quota that a request would exceed."""

    name: str = Field(description="The setting without its prefix `quotas.`.")
    limit: int
    used: int = Field(description="How much is in use; the request was refused and adds nothing.")


class ErrorBody(View):
    """The error."""

    code: int = Field(description="The status code again.")
    message: str
    reason: Literal["confirmation_required"] | None = Field(
        None,
        description="confirmation_required: the caller must first confirm the own identity with `POST /me/confirm`.",
    )
    details: list[ErrorDetail] | None = Field(None, description="Every problem found, not only the first.")
    quota: ErrorQuota | None = Field(None, description="The quota that was reached, for a refusal because of one.")


class ErrorView(View):
    """The body of all errors."""

    error: ErrorBody
