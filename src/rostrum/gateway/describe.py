"""Writes the reference page of all messages."""

from collections.abc import Iterable, Iterator
from types import ModuleType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from rostrum.gateway.messages import activity, agm, bus, context, global_domain, metrics
from rostrum.gateway.messages.record import Incoming, Outgoing

_MODULES: tuple[tuple[str, ModuleType], ...] = (
    ("global", global_domain),
    ("agm", agm),
    ("context", context),
    ("bus", bus),
    ("activity", activity),
    ("metrics", metrics),
)
_COMMON = frozenset({"domain", "request_id", "peer_id"})
_WORDS: dict[Any, str] = {str: "text", int: "number", float: "number", bool: "boolean", dict: "object"}
_INTRO = """# Messages of the gateway

Each message is one JSON object in a text frame, with these common fields:

- `domain`: the domain of the message; `global` if it is missing.
- `type`: the type of the message.
- `request_id`: chosen by the client for each request; the response contains the same value.
- `peer_id`: in messages from a client (except `hello` and `ping`), the ID of this client; in messages from the gateway,
  the ID of the receiver.

Fields in brackets are optional. Fields that are not listed are ignored in messages, and forwarded unchanged in
payloads. The [guide](../guide/gateway.md) explains how apps use the gateway.
"""


def messages(module: ModuleType, base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Return the messages of a domain in one direction, in the order of their declaration."""
    for record in vars(module).values():
        is_own = isinstance(record, type) and record.__module__ == module.__name__
        # Classes without a type are base classes of several messages.
        if is_own and issubclass(record, base) and record.__struct_config__.tag != record.__name__:
            yield record


def reference() -> str:
    """Return the complete page."""
    parts = [_INTRO]
    for name, module in _MODULES:
        parts += [f"## {name}\n", f"{_first_line(module)}\n"]
        for title, base in (("from clients", Incoming), ("from the gateway", Outgoing)):
            rows = [_row(record) for record in messages(module, base)]
            if rows:
                parts += [f"### {name}: {title}\n", "| type | purpose | fields |\n|---|---|---|", *rows, ""]
    return "\n".join(parts)


def _row(record: type[msgspec.Struct]) -> str:
    kind = str(record.__struct_config__.tag)
    return f"| `{kind}` | {_first_line(record)} | {', '.join(_fields(record))} |"


def _fields(record: type[msgspec.Struct]) -> Iterable[str]:
    hints = get_type_hints(record)
    for field in msgspec.structs.fields(record):
        if field.name in _COMMON:
            continue
        is_optional = field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT
        text = f"`{field.encode_name}` {_type(hints[field.name])}"
        yield f"[{text}]" if is_optional and issubclass(record, Incoming) else text


def _type(hint: Any) -> str:
    parts = [part for part in get_args(hint) if part not in (NoneType, msgspec.UnsetType)]
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(dict.fromkeys(_type(part) for part in parts))
    if get_origin(hint) is list:
        return f"list of {_type(parts[0])}"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return f"object ({', '.join(field.encode_name for field in msgspec.structs.fields(hint))})"
    return _WORDS.get(get_origin(hint) or hint, "JSON")


def _first_line(thing: Any) -> str:
    return (thing.__doc__ or "").strip().split("\n", maxsplit=1)[0]
