"""rostrum desktop layouts and layout: the layouts of a running platform."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rostrum.cli.output import fail, say, show_json, show_table, warn
from rostrum.cli.platform_client import PlatformClient, asks_platform, json_object

LayoutName = Annotated[str, typer.Argument(help="The name of the layout.")]
Type = Annotated[str, typer.Option("--type", help="The type of the layout: Global, Workspace, …")]

_LARGEST_FILE = 16 * 1024 * 1024


def add_commands(app: typer.Typer) -> None:
    """Add the commands of this page."""
    app.command("layouts")(asks_platform(layouts))
    group = typer.Typer(help="Save, restore and move layouts.", no_args_is_help=True)
    for name, command in (
        ("save", save),
        ("restore", restore),
        ("rename", rename),
        ("remove", remove),
        ("default", default),
        ("hibernate", hibernate),
        ("export", export),
        ("import", import_),
    ):
        group.command(name)(asks_platform(command))
    app.add_typer(group, name="layout")


def layouts(
    client: PlatformClient,
    kind: Annotated[
        str | None, typer.Option("--type", help="Only layouts of this type, such as Global.", show_default=False)
    ] = None,
) -> None:
    """List the layouts."""
    answer = client.call("Rostrum.Layouts.List", {"type": kind} if kind else {})

    def table() -> None:
        rows = [[one["name"], one["type"], "default" if one.get("default") else ""] for one in answer["layouts"]]
        show_table(["name", "type", ""], rows) if rows else say("there are no layouts")

    client.show(answer, table)


def save(
    client: PlatformClient,
    name: LayoutName,
    context: Annotated[
        str | None,
        typer.Option(help="Layout context: a JSON object, or @FILE.", metavar="JSON", show_default=False),
    ] = None,
) -> None:
    """Save the running apps as a Global layout."""
    given = json_object(context, "--context")
    answer = client.call("Rostrum.Layouts.Save", {"name": name} | ({"context": given} if given else {}))
    kept = [str(one.get("application")) for one in answer["layout"]["components"]]
    client.show(
        answer, lambda: say(f"saved {name}: {', '.join(kept) or 'no apps are running, so the layout is empty'}")
    )


def restore(client: PlatformClient, name: LayoutName, kind: Type = "Global") -> None:
    """Restore a layout, and report items that could not be restored."""
    answer = client.call("Rostrum.Layouts.Restore", {"name": name, "type": kind})

    def told() -> None:
        for note in answer["notes"]:
            warn(str(note))
        say(f"restored {name}")

    client.show(answer, told)


def rename(
    client: PlatformClient,
    name: LayoutName,
    new_name: Annotated[str, typer.Argument(metavar="NEW-NAME", help="The new name.")],
    kind: Type = "Global",
) -> None:
    """Rename a layout."""
    client.call("Rostrum.Layouts.Rename", {"name": name, "type": kind, "newName": new_name})
    client.show({"name": new_name, "type": kind}, lambda: say(f"renamed {name} to {new_name}"))


def remove(client: PlatformClient, name: LayoutName, kind: Type = "Global") -> None:
    """Delete a layout."""
    if not client.call("Rostrum.Layouts.Remove", {"name": name, "type": kind})["removed"]:
        fail(f"there is no {kind} layout {name!r}; `rostrum desktop layouts` lists all")
    client.show({"removed": True}, lambda: say(f"removed {name}"))


def default(
    client: PlatformClient,
    name: Annotated[
        str | None, typer.Argument(help="The layout. Without a name, the default is cleared.", show_default=False)
    ] = None,
) -> None:
    """Set the layout that is restored when the platform starts."""
    client.call("Rostrum.Layouts.SetDefault", {"name": name} if name else {})
    client.show(
        {"default": name}, lambda: say(f"the default layout is {name}" if name else "the default layout was cleared")
    )


def hibernate(client: PlatformClient, name: LayoutName) -> None:
    """Save the running apps as a Global layout, and close them."""
    done = client.call("Rostrum.Layouts.Hibernate", {"name": name})

    def report() -> None:
        still_open = f"still open: {', '.join(done['open'])} (system apps, or closeOnHibernate is false)"
        if not done["closed"]:
            say(
                f"saved {name}; {still_open}"
                if done["open"]
                else f"saved {name}: no apps are running, so the layout is empty"
            )
        elif done["open"]:
            say(f"saved {name}, and closed {', '.join(done['closed'])}; {still_open}")
        else:
            say(f"saved {name}, and closed its apps")

    client.show({"name": name, **done}, report)


def export(
    client: PlatformClient,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Name of the layout. Default: all.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only layouts of this type.", show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output file. Default: standard output.", show_default=False)
    ] = None,
) -> None:
    """Print complete layouts as JSON, in the format that `import` reads."""
    from rostrum.base.json_file import write_whole
    from rostrum.base.json_text import dump

    found = client.call("Rostrum.Layouts.Export", {"type": kind} if kind else {})["layouts"]
    for name in names or ():
        if not any(one["name"] == name for one in found):
            fail(f"there is no layout {name!r}; `rostrum desktop layouts` lists all")
    answer = {"layouts": [one for one in found if not names or one["name"] in names]}
    if output is None:
        show_json(answer)
        return
    if output.exists():
        fail(f"{output} already exists; remove it first, or choose another name")
    write_whole(output, dump(answer))
    say(f"wrote {len(answer['layouts'])} layouts to {output}")


def import_(
    client: PlatformClient,
    file: Annotated[Path, typer.Argument(help="A file written by export, or a file with one layout.", dir_okay=False)],
    keep: Annotated[bool, typer.Option("--keep", help="Do not replace existing layouts.")] = False,  # noqa: FBT002 - typer's shape
) -> None:
    """Import layouts from a file. Layouts with the same name and type are replaced."""
    found = _read(file)
    answer = client.call("Rostrum.Layouts.Import", {"layouts": found, "mode": "merge" if keep else "replace"})
    client.show(answer, lambda: say(f"imported {answer['imported']} of {len(found)} layouts"))


def _read(file: Path) -> list[Any]:
    from rostrum.base.errors import Invalid
    from rostrum.base.json_text import parse

    try:
        if file.stat().st_size > _LARGEST_FILE:
            fail(f"{file} is larger than {_LARGEST_FILE // 1024 // 1024} MiB", 2)
        value = parse(file.read_bytes())
    except OSError as error:
        fail(f"{file} cannot be read: {(error.strerror or str(error)).lower()}", 2)
    except Invalid as error:
        fail(f"{file} is not valid JSON: {error}", 2)
    if isinstance(value, dict):
        value = value.get("layouts", [value])
    if not isinstance(value, list):
        fail(f"{file} must contain a layout, an array of layouts, or an object with layouts", 2)
    return value
