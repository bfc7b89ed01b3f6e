"""rostrum desktop methods, call and shutdown: everything else that a running platform does."""

from typing import Annotated

import typer

from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.platform_client import PlatformClient, asks_platform, json_object


def add_commands(app: typer.Typer) -> None:
    """Add the commands of this page."""
    for command in (methods, call, shutdown):
        app.command(command.__name__)(asks_platform(command))


def methods(client: PlatformClient) -> None:
    """List the methods that the platform and the apps offer on the gateway."""
    offered = client.offered()

    def table() -> None:
        rows = [[one.name, one.application, "stream" if one.is_stream else ""] for one in offered]
        show_table(["method", "application", ""], rows)

    told = [{"name": one.name, "application": one.application, "stream": one.is_stream} for one in offered]
    client.show({"methods": told}, table)


def call(
    client: PlatformClient,
    method: Annotated[str, typer.Argument(help="The method, such as Rostrum.Platform.Status.")],
    arguments: Annotated[
        str | None, typer.Argument(metavar="JSON", help="Its arguments: a JSON object, or @FILE.")
    ] = None,
) -> None:
    """Call any method on the gateway, and print its result as JSON."""
    show_json(client.call(method, json_object(arguments, "the arguments")))


def shutdown(
    client: PlatformClient,
    restart: Annotated[bool, typer.Option("--restart", help="Start it again.")] = False,  # noqa: FBT002 - typer's shape
    force: Annotated[bool, typer.Option("--force", help="Leave whatever holds it up.")] = False,  # noqa: FBT002 - typer's shape
) -> None:
    """End the platform and the apps it has started; wait until it has ended."""
    if not client.call("Rostrum.Platform.Exit", {"restart": restart, "force": force})["leaving"]:
        fail(
            "the platform stays: an app holds the shutdown up, or a layout has changes that are not saved; "
            "--force leaves all the same"
        )
    if not restart and not client.wait_for_end():
        fail(f"the platform has not ended within {client.timeout:g} seconds")
    client.show(
        {"leaving": True, "restart": restart}, lambda: say("it restarts" if restart else "the platform has ended")
    )
