"""Descriptions of options: the effective values, and the reference page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from rostrum.manager.config.cors import CorsOptions
from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.read import LoadedConfig, Origin, OriginKind

_INTRODUCTION = """\
# Manager settings

Each setting is a property of the configuration object (the JSON file of
`rostrum manager serve --config FILE`) and an environment variable. The first that is set counts:

1. the property in the configuration object,
2. the variable,
3. the variable with `_FILE` added to its name: the path of a file that holds the value,
4. the default.

In variables, arrays and objects are JSON text, booleans are `true` or `false`, and an empty variable counts as not set.
"""

_CORS_INTRODUCTION = """\
## Members of `cors`

With session cookies on, `cors` must be set, with `credentials` true and an `origin`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingInForce:
    """One option with the value that counts, as text and without secrets, and where it came from."""

    info: OptionInfo
    value: str
    origin: Origin


def settings_in_force(config: ManagerConfig, origins: Mapping[str, Origin]) -> list[SettingInForce]:
    """List every option with its value, secrets masked; what has no origin was set by a program."""
    unknown = Origin(kind=OriginKind.OBJECT)
    return [
        SettingInForce(info=info, value=_shown(info, config), origin=origins.get(name, unknown))
        for name, info in OPTIONS.items()
    ]


def describe(loaded: LoadedConfig) -> list[tuple[str, str, str]]:
    """List property, value and origin of every option, secrets masked."""
    return [
        (setting.info.property, setting.value, str(setting.origin))
        for setting in settings_in_force(loaded.config, loaded.origins)
    ]


def options() -> list[OptionInfo]:
    return list(OPTIONS.values())


def reference_markdown() -> str:
    """Write the reference page of all settings."""
    rows = [_option_row(info) for info in options()]
    titles = ["Property", "Variable", "Type", "Default", "Meaning"]
    return "\n".join(
        [
            _INTRODUCTION,
            _table(titles, rows),
            _CORS_INTRODUCTION,
            _table(["Member", "Default", "Meaning"], _cors_rows()),
        ]
    )


def _shown(info: OptionInfo, config: ManagerConfig) -> str:
    value = getattr(config, info.field)
    text = _text(value)
    return info.mask(text) if info.mask and value else text


def _text(value: Any) -> str:
    if value is None:
        return "none"
    plain = to_jsonable_python(value, by_alias=True, exclude_none=True)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _option_row(info: OptionInfo) -> list[str]:
    default = "required" if info.required else _default(info.default)
    extra = [f"In {info.unit}."] if info.unit else []
    extra += [f"Since {info.since}."] if info.since else []
    extra += ["Secret: never shown."] if info.secret else []
    meaning = " ".join([info.text, *extra])
    return [f"`{info.property}`", f"`{info.env}`", info.type, default, meaning]


def _cors_rows() -> list[list[str]]:
    return [
        [f"`{field.alias or name}`", _default(field.default), field.description or ""]
        for name, field in CorsOptions.model_fields.items()
    ]


def _default(value: Any) -> str:
    return "none" if value is None else f"`{_text(value)}`"


def _table(titles: list[str], rows: list[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)
