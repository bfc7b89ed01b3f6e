"""Generates input of the manager's operations for ``tests/manager/http/test_openapi_conformance.py``.

Generating input takes longer than all requests of these tests, so `make generate` stores it in a file. The input of an
operation is generated again when the description of its parameters or of its body changes.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

STORED_INPUT = Path(__file__).resolve().parent.parent / "tests" / "manager" / "http" / "stored_input.json"
VALIDITIES = ("valid", "invalid")
"""Input that fits the description of an operation, and input that does not."""

_EXAMPLES = 2
"""At least the simplest input, and another one."""
_PARTS = ("path_parameters", "headers", "cookies", "query", "media_type")
_FOR_PEOPLE = ("description", "summary", "title")
_BYTES = "base64 of bytes"


def stored_input_text(document: dict[str, Any]) -> str:
    """Return the content of the file: for each operation the key of its input, and the input."""
    stored = parse_input(STORED_INPUT.read_text(encoding="utf-8"))["input"] if STORED_INPUT.exists() else {}
    keys = {
        operation["operationId"]: _key(document, operation)
        for item in document["paths"].values()
        for operation in item.values()
    }
    schema = readable_schema(document) if set(keys.values()) - set(stored) else None
    found: dict[str, Any] = {}
    for operation_id, key in keys.items():
        if key in stored:
            found[key] = stored[key]
        elif key not in found:
            found[key] = {each: generate_input(schema, operation_id, each, _EXAMPLES) for each in VALIDITIES}
    return json.dumps({"input": found, "operations": keys}, indent=1, sort_keys=True, default=_encoded) + "\n"


def parse_input(text: str) -> Any:
    """Parse the content of the file."""
    return json.loads(text, object_hook=lambda value: b64decode(value[_BYTES]) if _BYTES in value else value)


def readable_schema(document: dict[str, Any]) -> Any:
    """Prepare the OpenAPI document for generation and comparison."""
    # It takes a second to load, and `make generate` needs it only when a description has changed.
    import schemathesis

    return schemathesis.openapi.from_dict(_without_long_lengths(document))


def generate_input(schema: Any, operation_id: str, validity: str, most: int) -> list[dict[str, Any]]:
    """Generate input of an operation; without parameters and body, nothing can be invalid."""
    from hypothesis import HealthCheck, given, settings
    from schemathesis.core import NOT_SET
    from schemathesis.generation import GenerationMode

    operation = schema.find_operation_by_id(operation_id)
    takes_input = operation.path_parameters or operation.query or operation.headers or operation.body
    if validity == "invalid" and not takes_input:
        return []
    mode = GenerationMode.POSITIVE if validity == "valid" else GenerationMode.NEGATIVE
    found: list[dict[str, Any]] = []

    @settings(
        max_examples=most, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def generate(case: Any) -> None:
        given_parts = {name: value for name in _PARTS if (value := getattr(case, name))}
        found.append(given_parts if case.body is NOT_SET else {**given_parts, "body": case.body})

    generate()
    return found


def _key(document: dict[str, Any], operation: dict[str, Any]) -> str:
    """Derive a key from everything that determines the input of an operation."""
    described = [operation.get("parameters", []), operation.get("requestBody")]
    schemas = document["components"]["schemas"]
    used: dict[str, Any] = {}
    waiting = list(_references(described))
    while waiting:
        name = waiting.pop().rpartition("/")[2]
        if name not in used:
            used[name] = _for_programs(schemas[name])
            waiting += _references(used[name])
    text = json.dumps([_for_programs(described), used], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


def _references(part: Any) -> Iterator[str]:
    for name, value in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if name == "$ref" and isinstance(value, str):
            yield value
        else:
            yield from _references(value)


def _for_programs(part: Any) -> Any:
    """Leave out texts for people; a property can have the same name, but is an object."""
    if isinstance(part, dict):
        return {
            name: _for_programs(value)
            for name, value in part.items()
            if name not in _FOR_PEOPLE or not isinstance(value, str)
        }
    return [_for_programs(each) for each in part] if isinstance(part, list) else part


def _without_long_lengths(part: Any) -> Any:
    """Leave out long lengths and their patterns: schemathesis makes expressions of them that take seconds to read.

    Texts that the pattern does not allow are then sent too, and must be refused as documented.
    """
    if isinstance(part, dict):
        unwanted = {"pattern", "maxLength"} if part.get("maxLength", 0) > 1000 else set()
        return {name: _without_long_lengths(value) for name, value in part.items() if name not in unwanted}
    return [_without_long_lengths(each) for each in part] if isinstance(part, list) else part


def _encoded(value: Any) -> dict[str, Any]:
    """Encode what is not JSON: bytes, and the headers, which are a mapping of their own kind."""
    return {_BYTES: b64encode(value).decode()} if isinstance(value, bytes) else dict(value)
