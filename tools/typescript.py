"""Writes the admin UI's client: a TypeScript type for each body and each operation of the OpenAPI document."""

import json
from collections.abc import Iterator
from typing import Any

NOTE = "// Made by `make generate` from the manager's OpenAPI document; do not edit.\n"
METHODS = ("get", "post", "put", "patch", "delete")
PASSED_OVER = "Filled in by the server; passed over when sent."

_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Json = dict[str, Any]


def client(openapi: Json, base: str) -> str:
    """Write the types of the bodies, the types of the operations, and where each operation is."""
    operations = sorted(_operations(openapi, base))
    parts = [NOTE, *_bodies(openapi["components"]["schemas"])]
    parts.append("export interface Operations {")
    parts += [_operation(name, operation) for name, _method, _path, operation in operations]
    parts.append("}\n")
    parts.append("export const places: { readonly [Name in keyof Operations]: readonly [string, string] } = {")
    parts += [f"  {name}: [{_text(method.upper())}, {_text(path)}]," for name, method, path, _operation in operations]
    parts.append("};\n")
    return "\n".join(parts)


def _operations(openapi: Json, base: str) -> Iterator[tuple[str, str, str, Json]]:
    for path, item in openapi["paths"].items():
        for method in METHODS:
            if method in item:
                yield item[method]["operationId"], method, path.removeprefix(base), item[method]


def _bodies(schemas: Json) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        note = _note(schema, "")
        if schema.get("type") == "object" and "properties" in schema:
            yield f"{note}export interface {name} {_object(schema, '')}\n"
        else:
            yield f"{note}export type {name} = {_type(schema, '')};\n"


def _operation(name: str, operation: Json) -> str:
    parameters = operation.get("parameters", [])
    members = {
        "path": _parameters(parameters, "path"),
        "query": _parameters(parameters, "query"),
        "body": _content(operation.get("requestBody", {})) or "undefined",
        "answer": _answer(operation["responses"]),
    }
    lines = [f"    {key}: {value};" for key, value in members.items()]
    return "\n".join([f"{_note(operation, '  ')}  {name}: {{", *lines, "  };"])


def _parameters(parameters: list[Json], place: str) -> str:
    found = [parameter for parameter in parameters if parameter["in"] == place]
    members = [
        f"{_key(parameter['name'])}{'' if parameter.get('required') else '?'}: {_type(parameter['schema'], '')}"
        for parameter in found
    ]
    return f"{{ {'; '.join(members)} }}" if members else "Record<never, never>"


def _answer(responses: Json) -> str:
    fine = [response for code, response in sorted(responses.items()) if code.startswith("2") and code != "202"]
    return next((text for text in map(_content, fine) if text), "undefined")


def _content(holder: Json) -> str | None:
    content = holder.get("content", {}).get("application/json")
    return _type(content["schema"], "    ") if content and "schema" in content else None


def _type(schema: Json, indent: str) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    choices = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if choices:
        return " | ".join(_text(value) for value in choices)
    variants = schema.get("anyOf") or schema.get("oneOf")
    if variants:
        return " | ".join(dict.fromkeys(_type(each, indent) for each in variants))
    return " | ".join(_named(kind, schema, indent) for kind in _kinds(schema))


def _kinds(schema: Json) -> list[str]:
    kind = schema.get("type", "")
    return kind if isinstance(kind, list) else [kind]


def _named(kind: str, schema: Json, indent: str) -> str:
    if kind == "array":
        item = _type(schema.get("items", {}), indent)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if kind == "object":
        return _object(schema, indent)
    return _NAMES.get(kind, "unknown")


def _object(schema: Json, indent: str) -> str:
    properties = schema.get("properties")
    if not properties:
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values, indent) if isinstance(values, dict) else 'unknown'}>"
    required = set(schema.get("required", ()))
    inner = indent + "  "
    lines = [
        f"{_note(each, inner)}{inner}{_key(name)}{'' if name in required else '?'}: {_type(each, inner)};"
        for name, each in properties.items()
        if each.get("description") != PASSED_OVER
    ]
    return "\n".join(["{", *lines, f"{indent}}}"])


def _key(name: str) -> str:
    return name if name.isidentifier() else _text(name)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _note(schema: Json, indent: str) -> str:
    text = " ".join((schema.get("description") or "").split()).replace("*/", "* /")
    return f"{indent}/** {text} */\n" if text else ""
