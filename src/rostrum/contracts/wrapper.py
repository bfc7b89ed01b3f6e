"""The older wrapper around an app definition, which contains it as JSON text."""

from typing import TypeGuard

from pydantic import Field

from rostrum.base.errors import Invalid
from rostrum.base.json_text import JsonObject, parse
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import DocumentName


class Wrapper(Open):
    """A definition as text, with its name and version."""

    name: DocumentName = Field(description="Name of the app.")
    manifest: str = Field(description="The definition, written as JSON text.")
    version: Maybe[str] = member("Version of the app.")
    title: Maybe[str] = member("Title of the app.")
    manifest_type: Maybe[str] = member("Format of the manifest.")


def is_wrapper(definition: object) -> TypeGuard[JsonObject]:
    """Return whether a document is a wrapper, not a definition itself."""
    return isinstance(definition, dict) and "manifest" in definition and not definition.keys() & {"type", "details"}


def unwrap(manifest: str) -> JsonObject:
    """Read the definition in a manifest; raise Invalid if the text is not a JSON object."""
    definition = parse(manifest)
    if not isinstance(definition, dict):
        raise Invalid("the text is JSON, but not an object")
    return definition
