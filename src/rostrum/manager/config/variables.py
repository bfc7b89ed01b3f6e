"""Reads options from environment variables and from the files that they name."""

import re
from collections.abc import Iterator, Mapping
from json import dumps
from pathlib import Path
from shlex import quote
from typing import Any

from msgspec import Struct, field

from rostrum.base.problems import Problem
from rostrum.manager.config.json_input import JsonFault, parse_json
from rostrum.manager.config.option import OptionInfo, ValueType
from rostrum.manager.config.options import OPTIONS
from rostrum.manager.config.wording import nearest, printable, printable_path

MAX_FILE_BYTES = 1024 * 1024

_PREFIX = "API_"
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?")
_WORDS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}


class EnvironmentValues(Struct):
    """The values in the environment.

    Attributes:
        values: by field name.
        names: the variable of each value, by field name.
        failed: fields whose variable or file cannot be read.
    """

    values: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_environment(environment: Mapping[str, str], *, skip: set[str]) -> EnvironmentValues:
    """Read the variables of all options that are not set elsewhere."""
    found = EnvironmentValues()
    for info in OPTIONS.values():
        if environment.get(info.env) and environment.get(info.env_file):
            found.notes.append(f"{info.env} and {info.env_file} are both set: the file is not read")
        if info.field not in skip:
            _read_option(info, environment, found)
    found.notes.extend(_unknown(environment))
    return found


def _read_option(info: OptionInfo, environment: Mapping[str, str], out: EnvironmentValues) -> None:
    name = info.env if environment.get(info.env) else info.env_file
    text = environment.get(name)
    if not text:
        return
    try:
        if name == info.env_file:
            text = _read_file(info, text)
            if not text:
                out.notes.append(f"the file named by {name} is empty: not set by it")
                return
        out.values[info.field] = _value(info, text)
        out.names[info.field] = name
    except ValueError as error:
        out.failed.add(info.field)
        out.problems.append(Problem(path=info.names, message=str(error)))


def _read_file(info: OptionInfo, path: str) -> str:
    # The variable may contain the secret itself instead of the path of its file.
    which = "" if info.mask else f" ({printable_path(path)})"
    reason = "is not UTF-8 text"
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) <= MAX_FILE_BYTES:
            return re.sub(r"\r?\n\Z", "", content.decode("utf-8-sig"))
        reason = f"is larger than {MAX_FILE_BYTES} bytes"
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        pass
    except ValueError:
        reason = "cannot be read: the path is not valid"
    raise ValueError(f"the file named by {info.env_file}{which} {reason}")


def _value(info: OptionInfo, text: str) -> Any:
    match info.kind:
        case ValueType.BOOLEAN:
            return _flag(text)
        case ValueType.NUMBER:
            return _number(text)
        case ValueType.ARRAY:
            return _json(info, text, list)
        case ValueType.OBJECT:
            return _json(info, text, dict)
    return text


def _flag(text: str) -> bool:
    value = _WORDS.get(text.strip().lower())
    if value is None:
        raise ValueError(f"must be true or false, not {text[:40]!a}")
    return value


def _number(text: str) -> int | float:
    digits = text.strip()
    if not _NUMBER.fullmatch(digits):
        raise ValueError(f"must be a number in digits, not {text[:40]!a}")
    return float(digits) if "." in digits else int(digits)


def _json(info: OptionInfo, text: str, shape: type) -> Any:
    form = f"write JSON such as {info.env}={quote(dumps(info.example))}"
    try:
        value = parse_json(text)
    except JsonFault as fault:
        raise ValueError(f"{fault}; {form}") from None
    if isinstance(value, shape):
        return value
    raise ValueError(f"must be JSON of the type {info.kind}; {form}")


def _unknown(environment: Mapping[str, str]) -> Iterator[str]:
    known = {name for info in OPTIONS.values() for name in (info.env, info.env_file)}
    for name in sorted(environment):
        if name.startswith(_PREFIX) and name not in known and environment[name]:
            meant = nearest(name, known)
            hint = f"; did you mean {meant}?" if meant else ""
            yield f"{printable(name)} is not a setting of the manager{hint}"
