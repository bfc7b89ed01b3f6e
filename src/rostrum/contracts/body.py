"""Base classes of request and response bodies, and the body of errors."""

from datetime import datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
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


class View(BaseModel):
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
    details: list[ErrorDetail] | None = Field(None, description="Every problem found, not only the first.")
    quota: ErrorQuota | None = Field(None, description="The quota that was reached, for a refusal because of one.")


class ErrorView(View):
    """The body of all errors."""

    error: ErrorBody
