"""rostrum <command>: what each command needs is imported when it runs."""

import logging
from typing import Annotated

import typer

from rostrum import __version__
from rostrum.base.errors import RostrumError
from rostrum.cli import config, gateway, manager, up
from rostrum.cli.output import fail

__all__ = ["app", "main"]

app = typer.Typer(
    name="rostrum",
    help="An open desktop-integration platform and the server that manages it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(manager.app, name="manager")
app.add_typer(config.app, name="config")
app.add_typer(gateway.app, name="gateway")
app.command("up")(up.up)


def _version(wanted: bool) -> None:  # noqa: FBT001 - the shape typer calls
    if wanted:
        typer.echo(f"rostrum {__version__}")
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
    """Run the command; what Rostrum itself refuses is a message, not a traceback."""
    # Commands print what they have to say; only servers, which set logging up, log.
    logging.getLogger("rostrum").addHandler(logging.NullHandler())
    try:
        app()
    except RostrumError as error:
        try:
            fail(str(error))
        except typer.Exit as end:
            raise SystemExit(end.exit_code) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
