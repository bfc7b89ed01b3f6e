"""The command line `rostrum <command>`; modules of a command are imported when it runs."""

import errno
import logging
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from rostrum.base.errors import RostrumError
from rostrum.base.memory import freeze_loaded_objects, load_without_collecting
from rostrum.base.name_check import warn_about_conflict
from rostrum.cli.output import fail
from rostrum.installation.build import running_build

COMMANDS = ("manager", "config", "gateway", "desktop", "up", "doctor", "updates")
"""Commands; each is the ``app`` of the module with its name in this package."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class _Commands(TyperGroup):
    """The commands, each loaded when it is used, so that it does not slow down the others."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = dict.fromkeys(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = get_command(import_module(f"rostrum.cli.{cmd_name}").app)
        command.name = cmd_name
        freeze_loaded_objects()
        return command


def _shown_type(option: TyperOption, ctx: Any) -> str | None:
    """Return the type of an option in help texts; flags have none, because they take no value."""
    return None if option.is_flag else option.display_type(ctx)


# Typer would show `<bool>` beside each flag, and has no setting for this.
TyperOption.display_type_rich = _shown_type  # type: ignore[assignment, method-assign]


app = typer.Typer(
    cls=_Commands,
    name="rostrum",
    help="An open desktop-integration platform and the server that manages it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - the shape typer calls
    if wanted:
        typer.echo(str(running_build()))
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """An open desktop-integration platform and the server that manages it."""


def main() -> None:
    """Run the command; errors of Rostrum and of files are printed as messages, without a traceback."""
    load_without_collecting()
    warn_about_conflict()
    if os.getpid() == 1:
        # The system discards SIGTERM for the first process of a container until there is a handler.
        signal.signal(signal.SIGTERM, _terminate)
    # Commands print their messages; only servers set up logging.
    logging.getLogger("rostrum").addHandler(logging.NullHandler())
    try:
        app()
    except RostrumError as error:
        _end(str(error))
    except OSError as error:
        if error.filename is not None:
            _end(f"{error.filename}: {error.strerror}")
        if error.errno not in _FULL:
            raise
        _discard_output()
        _end(f"data cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    finally:
        # The process ends, so garbage collection is unnecessary.
        freeze_loaded_objects()


def _terminate(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def _discard_output() -> None:
    """Discard what could not be printed: at its end, Python would try again and fail with a traceback."""
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())


def _end(message: str) -> NoReturn:
    try:
        fail(message)
    except typer.Exit as end:
        raise SystemExit(end.exit_code) from None
