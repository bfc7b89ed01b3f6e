"""The documents that have a JSON Schema, and the functions that create the schemas."""

from enum import StrEnum
from typing import Any


class Document(StrEnum):
    """A document that has a schema."""

    SYSTEM = "system"
    GILDING = "gilding"
    ENV = "env"
    APPLICATION = "application"
    LAYOUT = "layout"
    PREFERENCES = "preferences"
    MANAGER = "manager"


def schema_of(document: Document) -> dict[str, Any]:
    """Create the schema of a document; only the modules that describe it are imported."""
    if document is Document.MANAGER:
        from rostrum.manager.config.json_schema import json_schema as manager_schema

        return manager_schema()
    if document in (Document.APPLICATION, Document.LAYOUT, Document.PREFERENCES):
        from rostrum.contracts import json_schema as contracts

        schema: dict[str, Any] = getattr(contracts, f"{document}_schema")()
        return schema
    from rostrum.settings.json_schema import json_schema
    from rostrum.settings.kinds import SettingsFile

    return json_schema(SettingsFile[document.name])
