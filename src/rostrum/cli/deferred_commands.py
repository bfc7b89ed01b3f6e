"""Commands whose modules are imported when they are used, so that they do not slow down others."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group


def deferred(first: Mapping[str, str], last: Mapping[str, str]) -> type[TyperGroup]:
    """Return the class of a group with deferred commands before and after its own commands, in the order of the help.

    A command is a function or a group, with its place in this package, such as ``manager_users:app``.
    """
    places = {**first, **last}

    class Commands(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            own = self.commands
            self.commands: Any = {**dict.fromkeys(first), **own, **dict.fromkeys(last)}

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name in places and self.commands[cmd_name] is None:
                self.commands[cmd_name] = _load(cmd_name, places[cmd_name])
            return super().get_command(ctx, cmd_name)

    return Commands


def _load(name: str, place: str) -> Any:
    module, _, attribute = place.partition(":")
    found = getattr(import_module(f"rostrum.cli.{module}"), attribute)
    group = typer.Typer()
    if isinstance(found, typer.Typer):
        group.add_typer(found, name=name)
    else:
        group.command(name)(found)
    return get_group(group).commands[name]
