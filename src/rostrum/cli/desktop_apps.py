"""rostrum desktop apps, start, instances, stop, search and notify: the apps of a running platform."""

from typing import Annotated, Any

import typer

from rostrum.cli.output import fail, printable, say, show_table
from rostrum.cli.platform_client import PlatformClient, asks_platform, json_object


def add_commands(app: typer.Typer) -> None:
    """Add the commands of this page."""
    for command in (apps, start, instances, stop, search, notify):
        app.command(command.__name__)(asks_platform(command))


def apps(
    client: PlatformClient,
    hidden: Annotated[bool, typer.Option("--all", help="Include hidden apps.")] = False,  # noqa: FBT002 - typer's shape
) -> None:
    """List the apps with name, title, type, store and number of running instances."""
    answer = client.call("Rostrum.Apps.List")
    found = [one for one in answer["applications"] if hidden or not one.get("hidden")]

    def table() -> None:
        rows = [
            [one["name"], str(one.get("title") or ""), one["type"], one["store"], str(len(one["instances"]) or "")]
            for one in found
        ]
        show_table(["name", "title", "type", "store", "running"], rows)

    client.show({"applications": found}, table)


def start(
    client: PlatformClient,
    name: Annotated[str, typer.Argument(metavar="APP", help="The name of the app.")],
    context: Annotated[
        str | None,
        typer.Option(help="Start context: a JSON object, or @FILE.", metavar="JSON", show_default=False),
    ] = None,
) -> None:
    """Start an app, and print the ID of the new instance."""
    arguments: dict[str, Any] = {"name": name}
    arguments |= {"context": given} if (given := json_object(context, "--context")) is not None else {}
    instance = client.call("Rostrum.Apps.Start", arguments)

    def told() -> None:
        typer.echo(printable(instance["id"]))
        process = f", process {instance['process']}" if instance.get("process") else ""
        say(f"started {instance['title']} ({instance['type']}{process})")

    client.show(instance, told)


def instances(client: PlatformClient) -> None:
    """List the running apps."""
    answer = client.call("Rostrum.Instances.List")

    def table() -> None:
        rows = [
            [one["id"], one["app"], one["title"], one["type"], str(one.get("process") or "")]
            for one in answer["instances"]
        ]
        show_table(["instance", "app", "title", "type", "process"], rows)

    client.show(answer, table)


def stop(
    client: PlatformClient,
    names: Annotated[
        list[str], typer.Argument(metavar="INSTANCE", help="Instance IDs, or app names to stop all their instances.")
    ],
) -> None:
    """Stop running apps. To stop the platform, use `shutdown`."""
    running = client.call("Rostrum.Instances.List")["instances"]
    for name in names:
        if not any(name in (one["id"], one["app"]) for one in running):
            fail(f"No app or instance named {name} is running. List them with `{client.command('instances')}`.")
    meant = [one for one in running if {one["id"], one["app"]} & set(names)]
    stopped = [one for one in meant if client.call("Rostrum.Instances.Stop", {"instance": one["id"]})["stopped"]]
    client.show(
        {"stopped": stopped}, lambda: say("\n".join(f"stopped {one['title']} ({one['id']})" for one in stopped))
    )


def search(
    client: PlatformClient,
    text: Annotated[str, typer.Argument(help="Words to search for in names, titles, captions and keywords.")],
    kind: Annotated[
        list[str] | None,
        typer.Option("--type", help="application, layout, workspace or action; may be repeated.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(help="Maximum number of results.", min=1, max=100)] = 20,
) -> None:
    """Search the apps, layouts, workspaces and actions."""
    answer = client.call("Rostrum.Search.Find", {"text": text, "limit": limit} | ({"types": kind} if kind else {}))

    def table() -> None:
        rows = [[one["type"], one["id"], one["title"], one["description"]] for one in answer["results"]]
        show_table(["type", "name", "title", ""], rows) if rows else say("no results")

    client.show(answer, table)


def notify(
    client: PlatformClient,
    title: Annotated[str, typer.Argument(help="Title of the notification.")],
    body: Annotated[str, typer.Option(help="Text of the notification.")] = "",
    severity: Annotated[str, typer.Option(help="None, Low, Medium, High or Critical.")] = "None",
) -> None:
    """Show a notification, and print its ID."""
    arguments = {"title": title, "body": body, "severity": severity}
    raised = client.call("Rostrum.Notifications.Raise", arguments)
    client.show(raised, lambda: typer.echo(printable(raised["id"])))
