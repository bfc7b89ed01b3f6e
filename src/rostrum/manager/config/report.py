"""Descriptions of options: the effective values, and the reference page."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from pydantic_core import to_jsonable_python

from rostrum.manager.config.cors import CorsOptions
from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.read import LoadedConfig, OptionOrigin, OriginKind
from rostrum.manager.config.units import with_unit

_INTRODUCTION = """\
# Manager settings

Each setting can be set by a property in the configuration file (`rostrum manager serve --config FILE`) or by an
environment variable. If a setting is set in several places, the first of these sources is used:

1. the property in the configuration file,
2. the environment variable,
3. the file whose path is in the environment variable with `_FILE` appended to its name, for example
   `API_TOKEN_SECRET_FILE`,
4. the default.

The configuration file contains a JSON object. Properties with a dot are nested: `token.secret` is written as
`{"token": {"secret": "…"}}`. In environment variables, arrays and objects are written as JSON, and booleans as `true`
or `false`. An empty environment variable is treated as not set.

Changes take effect when the server is restarted. The *Server* page of the admin UI shows the effective value of each
setting and its source.
"""

_CORS_INTRODUCTION = """\
## Members of `cors`

If session cookies are used (`auth_basic.useSessionCookie`), `credentials` must be `true` and `origin` must be set.
"""


class SettingInForce(Struct, frozen=True, kw_only=True):
    """One option with its effective value, as text without secrets, and its origin.

    Attributes:
        display: the value with its unit, as people read it.
    """

    info: OptionInfo
    value: str
    display: str
    origin: OptionOrigin


def settings_in_force(config: ManagerConfig, origins: Mapping[str, OptionOrigin]) -> list[SettingInForce]:
    """List all options with their values, without secrets; a value without an origin was set by a program."""
    unknown = OptionOrigin(kind=OriginKind.OBJECT)
    return [
        SettingInForce(
            info=info,
            value=_shown(info, config),
            display=_with_unit(info, getattr(config, name)) or _shown(info, config),
            origin=origins.get(name, unknown),
        )
        for name, info in OPTIONS.items()
    ]


def describe(loaded: LoadedConfig) -> list[tuple[str, str, str]]:
    """List property, value and origin of all options, without secrets."""
    return [
        (setting.info.property, setting.value, str(setting.origin))
        for setting in settings_in_force(loaded.config, loaded.origins)
    ]


def options() -> list[OptionInfo]:
    return list(OPTIONS.values())


def reference_markdown() -> str:
    """Write the reference page of all settings."""
    rows = [_option_row(info) for info in options()]
    titles = ["Property", "Environment variable", "Type", "Default", "Description"]
    return "\n".join(
        [
            _INTRODUCTION,
            _table(titles, rows),
            _CORS_INTRODUCTION,
            _table(["Member", "Default", "Description"], _cors_rows()),
        ]
    )


def _shown(info: OptionInfo, config: ManagerConfig) -> str:
    value = getattr(config, info.field)
    text = _text(value)
    return info.mask(text) if info.mask and value else text


def _with_unit(info: OptionInfo, value: Any) -> str | None:
    return with_unit(value, info.unit) if info.unit and isinstance(value, int) else None


def _text(value: Any) -> str:
    if value is None:
        return "none"
    plain = to_jsonable_python(value, by_alias=True, exclude_none=True)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _option_row(info: OptionInfo) -> list[str]:
    default = "required" if info.required else _with_unit(info, info.default) or _default(info.default)
    extra = [f"Compatible servers have this setting since version {info.since}."] if info.since else []
    extra += ["The value is secret and never shown."] if info.secret else []
    meaning = " ".join([info.text, *extra])
    return [f"`{info.property}`", f"`{info.env}`", info.type, default, meaning]


def _cors_rows() -> list[list[str]]:
    return [
        [f"`{field.alias or name}`", _default(field.default), field.description or ""]
        for name, field in CorsOptions.model_fields.items()
    ]


def _default(value: Any) -> str:
    if value in (None, ""):
        return "none" if value is None else "empty"
    return f"`{_text(value)}`"


def _table(titles: list[str], rows: list[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)
