"""rostrum desktop methods, call and shutdown: the gateway methods of a running platform."""

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
    arguments: Annotated[str | None, typer.Argument(metavar="JSON", help="Arguments: a JSON object, or @FILE.")] = None,
) -> None:
    """Call any method on the gateway, and print its result as JSON."""
    show_json(client.call(method, json_object(arguments, "the arguments")))


def shutdown(
    client: PlatformClient,
    *,
    restart: Annotated[bool, typer.Option("--restart", help="Start the platform again.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Shut down even if an app prevents it or changes are not saved.")
    ] = False,
) -> None:
    """Shut down the platform and its apps, and wait until they have ended."""
    if not client.call("Rostrum.Platform.Exit", {"restart": restart, "force": force})["leaving"]:
        fail(
            "the platform was not shut down: an app prevents the shutdown, or a layout has unsaved changes; "
            "use --force to shut down anyway"
        )
    if not restart and not client.wait_for_end():
        fail(f"the platform has not ended within {client.timeout:g} seconds")
    client.show(
        {"leaving": True, "restart": restart},
        lambda: say("the platform restarts" if restart else "the platform has ended"),
    )
