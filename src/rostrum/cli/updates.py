"""rostrum updates: sign and publish releases, serve feeds for tests, and inspect this installation."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rostrum.cli.output import fail, say, show_json
from rostrum.installation.build import running_build
from rostrum.installation.versions import Installation, running_installation

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help=("Publish releases for automatic updates, and inspect the versions of this installation."),
)

KeyOption = Annotated[
    Path, typer.Option("--key", help="Private key file of `rostrum updates keygen`.", exists=True, dir_okay=False)
]
FolderOption = Annotated[Path, typer.Option("--to", help="Folder of the channels.", file_okay=False)]
ChannelOption = Annotated[str, typer.Option(help="Channel; desktops name it in autoUpdater.updateSource.channel.")]


@app.command()
def keygen(file: Annotated[Path, typer.Argument(help="File for the private key. Keep it secret.")]) -> None:
    """Create a key pair: the private key goes to a file, the public key is printed for autoUpdater.publicKeys."""
    from rostrum.desktop.updates.publish import create_key

    try:
        public = create_key(file)
    except FileExistsError:
        fail(f"{file} already exists. A replaced key could no longer sign updates for existing desktops.")
    say(f"Created the private key {file}. Add the public key to autoUpdater.publicKeys in the local system.json:")
    typer.echo(public)


@app.command()
def publish(
    packages: Annotated[list[Path], typer.Argument(help="Installers of `make dist`.", exists=True, dir_okay=False)],
    *,
    key: KeyOption,
    to: FolderOption,
    channel: ChannelOption = "stable",
    notes: Annotated[str, typer.Option(help="Release notes.")] = "",
) -> None:
    """Sign a release, and write it to a folder that any web server can serve as static files.

    Packages of the same version for other architectures are added to the published release.
    """
    from rostrum.desktop.updates.publish import publish_release, read_private_key

    if not channel.replace("-", "").replace("_", "").isalnum():
        fail("--channel may contain letters, digits, '-' and '_'", 2)
    release = publish_release(packages, to / channel, read_private_key(key), notes)
    targets = ", ".join(one.target for one in release.packages)
    say(f"published version {release.version} ({targets}) in {to / channel}")


@app.command()
def serve(
    folder: Annotated[Path, typer.Argument(help="Folder of the channels.", exists=True, file_okay=False)],
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 selects a free port.")] = 8080,
) -> None:
    """Serve published releases for tests, as an update service and as a static storage. It has no TLS."""
    from rostrum.desktop.updates.publish import feed_server

    with feed_server(folder, host, port) as server:
        address = f"http://{host}:{server.server_address[1]}"
        say(f'Service: {{"type": "Service", "baseUrl": "{address}", "channel": "stable"}}')
        say(f'Static storage: {{"type": "StaticStorage", "baseUrl": "{address}/stable"}}')
        typer.echo(f"listening on {address}")
        server.serve_forever()


@app.command()
def status(*, json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the kind of this build and, for installer builds, the installed versions."""
    build, installation = running_build(), running_installation()
    told: dict[str, Any] = {"build": str(build.kind), "version": build.version, "updates": build.no_updates is None}
    if build.folder is not None:
        told["folder"] = str(build.folder)
    if installation is not None:
        state = installation.state()
        told |= {"current": state.version, "previous": state.previous, "trial": state.trial}
        told |= {"versions": installation.versions, "failed": state.failed}
    if json:
        show_json(told)
        return
    typer.echo(str(build))
    if build.no_updates is not None:
        typer.echo(build.no_updates)
        return
    typer.echo(f"folder: {told['folder']}")
    typer.echo(f"current: {told['current']}{' (not started yet)' if told['trial'] else ''}")
    typer.echo(f"previous: {told['previous'] or 'none'}")
    for version, reason in told["failed"].items():
        typer.echo(f"failed: {version}: {reason}")


@app.command()
def rollback() -> None:
    """Return to the previous version at the next start, and do not offer the current version again."""
    installation = _installation()
    version = installation.state().version
    previous = installation.roll_back("it was rolled back with `rostrum updates rollback`")
    say(f"version {previous} runs from the next start of the desktop")
    say(f"to offer version {version} again: rostrum updates retry {version}")


@app.command()
def retry(version: Annotated[str, typer.Argument(help="Version that failed or was rolled back.")]) -> None:
    """Offer a version again that did not become ready or was rolled back."""
    _installation().forget_failure(version)
    say(f"version {version} is offered again at the next check for updates")


def _installation() -> Installation:
    installation = running_installation()
    if installation is None:
        fail(str(running_build().no_updates))
    return installation
