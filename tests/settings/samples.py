"""Documents that hold every setting at a valid value that is not its default."""

from collections.abc import Iterator
from typing import Any

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.roots import ROOTS
from rostrum.settings.scope import Stream
from rostrum.settings.setting import Section
from rostrum.settings.shape import DISCRIMINATOR, Member, members

VERSIONS = {Stream.V9: "9.15", Stream.V10: "10.1"}
Steps = tuple[str | int, ...]


def full(kind: SettingsFile, stream: Stream) -> dict[str, Any]:
    """Write every setting that the newest version of a stream has."""
    return _section(ROOTS[kind], stream)


def places(document: Any, steps: Steps = (), pattern: str = "") -> Iterator[tuple[str, Steps]]:
    """List each member of a document with the catalogue's path and the way to it."""
    for name, value in document.items():
        path = f"{pattern}.{name}" if pattern else name
        yield path, (*steps, name)
        if isinstance(value, dict):
            yield from places(value, (*steps, name), path)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield from places(item, (*steps, name, index), f"{path}[]")


def at(document: Any, steps: Steps) -> Any:
    """Read the value at the end of a way."""
    for step in steps:
        document = document[step]
    return document


def _section(section: type[Section], stream: Stream) -> dict[str, Any]:
    known = members(section).values()
    return {one.name: _value(one, stream) for one in known if one.facts.stream in (None, stream)}


def _value(member: Member, stream: Stream) -> Any:
    kinds = [one for one in member.sections if _exists(one, stream)]
    if member.many:
        return [_section(one, stream) for one in kinds]
    if kinds:
        return _section(kinds[0], stream)
    if member.enum and member.type == "string[]":
        return [member.enum[0]]
    if member.enum:
        return "rest" if "rest" in member.enum else [word for word in member.enum if word != member.default][-1]
    if member.type == "number":
        return (member.default or 0) + 1
    if member.name == "urlFilter":
        return "https://firm.example"
    return _simple(member)


def _simple(member: Member) -> Any:
    if member.type == "boolean":
        return not member.default
    if member.type == "string":
        return "teal" if "color" in member.name.lower() else f"https://{member.name}.example/gd"
    if member.name == "fdc3":
        return {"id": "fdc3.channel.1"}
    if member.name == "trustedOrigins":
        return ["https://one.example", "https://two.example"]
    if member.name == "publicKeys":
        return [f"ed25519:{'A' * 43}=", f"ed25519:{'B' * 42}A="]
    if member.name == "permissions":
        return ["camera", "microphone"]
    if member.name == "proxy":
        return {"mode": "fixed_servers", "proxyRules": "proxy.example:3128"}
    if member.name == "responseHeaders":
        # Every rule is refused.
        return []
    return {"string[]": ["one", "two"], "object": {"key": "value"}, "unknown": {"any": [1]}}[member.type]


def _exists(section: type[Section], stream: Stream) -> bool:
    word = members(section).get(DISCRIMINATOR)
    return word is None or all(need.stream in (None, stream) for need in word.facts.words.values())
