"""rostrum desktop methods, call and shutdown: everything else that a running platform does."""

from typing import Annotated

import typer

from rostrum.cli.desktop_desk import Desk, asks, json_object
from rostrum.cli.output import fail, say, show_json, show_table

__all__ = ["add_commands"]


def add_commands(app: typer.Typer) -> None:
    """Add the commands of this page."""
    for command in (methods, call, shutdown):
        app.command(command.__name__)(asks(command))


def methods(desk: Desk) -> None:
    """List the methods that the platform and the apps offer on the gateway."""
    offered = desk.offered()

    def table() -> None:
        rows = [[one.name, one.application, "stream" if one.is_stream else ""] for one in offered]
        show_table(["method", "application", ""], rows)

    told = [{"name": one.name, "application": one.application, "stream": one.is_stream} for one in offered]
    desk.show({"methods": told}, table)


def call(
    desk: Desk,
    method: Annotated[str, typer.Argument(help="The method, such as Rostrum.Platform.Status.")],
    arguments: Annotated[
        str | None, typer.Argument(metavar="JSON", help="Its arguments: a JSON object, or @FILE.")
    ] = None,
) -> None:
    """Call any method on the gateway, and print its result as JSON."""
    show_json(desk.call(method, json_object(arguments, "the arguments")))


def shutdown(
    desk: Desk,
    restart: Annotated[bool, typer.Option("--restart", help="Start it again.")] = False,  # noqa: FBT002 - typer's shape
    force: Annotated[bool, typer.Option("--force", help="Leave whatever holds it up.")] = False,  # noqa: FBT002 - typer's shape
) -> None:
    """End the platform and the apps it has started; wait until it has ended."""
    if not desk.call("Rostrum.Platform.Exit", {"restart": restart, "force": force})["leaving"]:
        fail(
            "the platform stays: an app holds the shutdown up, or a layout has changes that are not saved; "
            "--force leaves all the same"
        )
    if not restart and not desk.wait_for_end():
        fail(f"the platform has not ended within {desk.timeout:g} seconds")
    desk.show(
        {"leaving": True, "restart": restart}, lambda: say("it restarts" if restart else "the platform has ended")
    )
