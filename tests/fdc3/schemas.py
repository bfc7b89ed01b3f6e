"""The JSON Schemas of FDC3 2.2 from npm, made usable: each message is checked by the schema of its type."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

PACKAGES = Path(__file__).parent / "node" / "node_modules" / "@finos"
_BASE = "https://fdc3.finos.org/schemas/next/"


def _load(path: Path) -> Any:
    document = json.loads(path.read_text())
    name = path.name
    if name == "agentResponse.schema.json":
        # A defect of the published schema: an error fits to both of its alternatives, so no error would be valid.
        payload = document["properties"]["payload"]
        payload["anyOf"] = payload.pop("oneOf")
    if name == "common.schema.json":
        # The same: MalformedContext and ApiTimeout are in several of these lists.
        messages = document["$defs"]["ErrorMessages"]
        messages["anyOf"] = messages.pop("oneOf")
    return document


@cache
def _documents() -> dict[str, Any]:
    assert PACKAGES.is_dir(), "the schemas are not installed; `make test` installs them"
    paths = [
        *(PACKAGES / "fdc3-schema" / "dist" / "schemas" / "api").glob("*.schema.json"),
        PACKAGES / "fdc3-context" / "dist" / "schemas" / "context" / "context.schema.json",
    ]
    return {f"{_BASE}{path.parent.name}/{path.name}": _load(path) for path in paths}


@cache
def _validator(type_: str) -> Any:
    documents = _documents()
    # The one file whose name is spelled differently from the type in it.
    name = "heartbeatAcknowledgmentRequest" if type_ == "heartbeatAcknowledgementRequest" else type_
    address = f"{_BASE}api/{name}.schema.json"
    assert address in documents, f"the standard has no message {type_}"
    registry = jsonschema_rs.Registry(list(documents.items()), draft=jsonschema_rs.Draft7)
    return jsonschema_rs.Draft7Validator(documents[address], registry=registry, validate_formats=True)


def check(message: dict[str, Any]) -> None:
    """Fail unless a message complies with the schema of its type."""
    errors = [
        f"{list(error.instance_path)}: {error.message}" for error in _validator(message["type"]).iter_errors(message)
    ]
    assert not errors, f"{message} does not comply: {errors}"


def is_valid(message: dict[str, Any]) -> bool:
    """Return whether a message complies with the schema of its type."""
    return bool(_validator(message["type"]).is_valid(message))


def types(ending: str) -> set[str]:
    """List the types of messages with an ending."""
    found = set()
    for address, document in _documents().items():
        name = address.rpartition("/")[2].removesuffix(".schema.json")
        if name.endswith(ending) and name[:5] not in ("agent", "appRe"):
            text = json.dumps(document)
            found.add(
                "heartbeatAcknowledgementRequest"
                if "heartbeatAcknowledgementRequest" in text and "Ack" in name
                else name
            )
    return found
