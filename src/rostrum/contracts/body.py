"""Bodies of requests and answers: what all of them share, and the body of every refusal."""

from datetime import datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class Body(BaseModel):
    """What a caller sends: unknown members are refused, what the server fills in is passed over.

    So a document that was read can be changed and sent back as it is, and a misspelt member is still found.
    """

    # Most models are not used by most processes: each is built when it is used first.
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
            schema["properties"].setdefault(name, {"description": "Filled in by the server; passed over when sent."})
        return schema


class Change(Body):
    """A change of some members: those that were not sent stay as they are."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = super().__get_pydantic_json_schema__(core, handler)
        for member in schema["properties"].values():
            # What a member is when nobody sets it is no default of a change.
            member.pop("default", None)
        return schema

    def given(self) -> dict[str, Any]:
        """Return only the members that were sent, by their Python names."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class ClientBody(Body):
    """What desktops send: they decide what is in it, and a member more must not lose a layout."""

    model_config = ConfigDict(extra="ignore")


class View(BaseModel):
    """What the server answers."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", defer_build=True)


class ListView(View):
    """One page of a list, and how long the whole list is."""

    total: int = Field(description="How many there are, or as many as were counted when there are more.")
    more: bool = Field(
        default=False,
        description="True when the list is longer than the total: of users that are searched, or filtered in several "
        "ways, the first 1,000 are counted.",
    )


class Stamped(View):
    """The members that every stored document answers."""

    revision: int = Field(description="Number of the change that made it what it is.")
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str


class ErrorDetail(View):
    """One problem of the request."""

    path: str = Field(description="Where it is: a JSON path, or the name of a parameter.")
    message: str
    suggestion: str | None = Field(None, description="The nearest right name or word, when there is one.")


class ErrorQuota(View):
    """The quota that a request would exceed."""

    name: str = Field(description="The setting without its prefix `quotas.`.")
    limit: int
    used: int = Field(description="How much is in use; the request was refused and adds nothing.")


class ErrorBody(View):
    """What went wrong."""

    code: int = Field(description="The status code again.")
    message: str
    details: list[ErrorDetail] | None = Field(None, description="Every problem found, not only the first.")
    quota: ErrorQuota | None = Field(None, description="The quota that was reached, for a refusal because of one.")


class ErrorView(View):
    """The one body of every refusal."""

    error: ErrorBody
