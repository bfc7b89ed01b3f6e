"""A client of the running platform, which calls its methods."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum.base.command_line import CommandLine
from rostrum.cli.find_config import VARIABLE, find_desktop
from rostrum.cli.output import fail, show_json
from rostrum.cli.start import start_from

if TYPE_CHECKING:
    from rostrum.desktop.key_file import Key
    from rostrum.gateway import LocalPeer
    from rostrum.sources.load import Early


_APPLICATION = "rostrum desktop"


@dataclass(frozen=True, slots=True)
class Offered:
    """A method or a stream on the gateway, and the peer that registered it."""

    name: str
    application: str
    is_stream: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformClient:
    """Finds a running platform by its configuration, calls its methods, and prints their results."""

    config: Path | None = None
    env: str | None = None
    region: str | None = None
    json: bool = False
    timeout: float = 60.0

    def command(self, *words: str) -> str:
        """Format a command for this platform as a line for the shell."""
        found = find_desktop(self.config)
        chosen = {"--env": self.env, "--region": self.region}
        options = [word for name, value in chosen.items() if value for word in (name, value)]
        return (found.command_line if found else CommandLine())("desktop", *words, *options)

    def announce(self) -> None:
        """State which configuration is used, if the user did not name it."""
        found = find_desktop(self.config)
        if found is not None and not self.json:
            found.announce()

    def look(self) -> "tuple[Early, dict[str, Any] | None]":
        """Return the early settings of the platform, and the record of the running instance; None if none runs."""
        from rostrum.desktop.run_lock import running_instance

        early, folder = self._place()
        return early, running_instance(folder, early.pair.name)

    def wait_for_end(self) -> bool:
        """Wait until the platform has ended; return False after a time limit."""
        from rostrum.desktop.run_lock import wait_until_free

        early, folder = self._place()
        return wait_until_free(folder, early.pair.name, self.timeout)

    def _place(self) -> "tuple[Early, Path]":
        """Return the early settings, and the folder of the locks."""
        from rostrum.sources.load import load_early

        start = start_from(self.config, None, quiet=True, env=self.env, region=self.region)
        early = load_early(start)
        return early, start.root / "UserData"

    def call(self, method: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a method of the platform, or of an app on its gateway; raise CallFailed if there is no result."""
        key = self._key()
        result = asyncio.run(self._call(key, method, arguments or {}))
        return result if isinstance(result, dict) else {"result": result}

    def offered(self) -> list[Offered]:
        """List the methods and streams of the platform and the apps on the gateway."""
        return asyncio.run(self._offered(self._key()))

    def show(self, answer: Any, otherwise: Callable[[], None]) -> None:
        """Print an answer as JSON or for people."""
        if self.json:
            show_json(answer)
        else:
            otherwise()

    def _key(self) -> "Key":
        from rostrum.desktop.key_file import KeyFile

        early, running = self.look()
        if running is None:
            fail(f"The platform is not running. Start it with `{self.command('--headless')}`.")
        pair = running.get("pair")
        if pair and pair != early.pair.name:
            fail(f"the platform runs for {pair}, not for {early.pair.name}; choose with --env and --region")
        return KeyFile(early.folders.user_data).read()

    async def _call(self, key: "Key", method: str, arguments: Mapping[str, Any]) -> Any:
        from rostrum.gateway.remote import connected
        from rostrum.settings.unknown import close_to

        async with connected(key.address, login=key.user, secret=key.secret, application=_APPLICATION) as peer:
            await peer.join("agm")
            known = [one.name for one in peer.methods.known]
            if method not in known:
                close = close_to(method, known)
                hint = f"Did you mean {close}?" if close else f"List all methods with `{self.command('methods')}`."
                fail(f"There is no method {method}. {hint}")
            return await peer.methods.call(method, arguments, timeout_seconds=self.timeout)

    async def _offered(self, key: "Key") -> list[Offered]:
        from rostrum.gateway.remote import connected

        async with connected(key.address, login=key.user, secret=key.secret, application=_APPLICATION) as peer:
            return await _methods(peer)


async def _methods(peer: "LocalPeer") -> list[Offered]:
    names: dict[str, str] = {}
    peer.listen(
        "agm",
        "peer-added",
        lambda frame: names.update({frame["new_peer_id"]: str(frame["identity"].get("application", ""))}),
    )
    await peer.join("agm")
    offered = [
        Offered(one.name, names.get(one.server, ""), bool((one.definition.get("flags") or {}).get("streaming")))
        for one in peer.methods.known
    ]
    return sorted(offered, key=lambda one: (one.application != "Rostrum", one.application, one.name))


def asks_platform(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the platform and the output format to a command whose first parameter is the client."""

    @wraps(command)
    def asking(invocation: typer.Context, **given: Any) -> None:
        client = invocation.obj if isinstance(invocation.obj, PlatformClient) else PlatformClient()
        chosen = {name: given.pop(name) for name in _OPTIONS}
        client = replace(client, **{name: value for name, value in chosen.items() if value not in (None, False)})
        client.announce()
        command(client, **given)

    own = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.name != "client"]
    first = inspect.Parameter("invocation", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    parameters = [first, *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own), *_OPTIONS.values()]
    asking.__signature__ = inspect.Signature(parameters, return_annotation=None)  # type: ignore[attr-defined]
    asking.__annotations__ = {one.name: one.annotation for one in parameters}
    return asking


def _option(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


_PLACE = "Which platform"
_OPTIONS = {
    "config": _option(
        "config",
        Annotated[
            Path | None,
            typer.Option(
                "--config",
                help=f"Its configuration folder. Default: {VARIABLE}, or the one in the current folder.",
                rich_help_panel=_PLACE,
            ),
        ],
    ),
    "env": _option(
        "env", Annotated[str | None, typer.Option("--env", help="Environment of the platform.", rich_help_panel=_PLACE)]
    ),
    "region": _option(
        "region",
        Annotated[str | None, typer.Option("--region", help="Region of the platform.", rich_help_panel=_PLACE)],
    ),
    "timeout": _option(
        "timeout",
        Annotated[
            float | None,
            typer.Option("--timeout", help="Seconds to wait for the answer. Default: 60.", min=0.1, max=3600),
        ],
    ),
    "json": _option("json", Annotated[bool, typer.Option("--json", help="Print JSON.")], default=False),
}


def json_object(text: str | None, name: str) -> dict[str, Any] | None:
    """Read an option that is a JSON object; ``@FILE`` reads it from a file."""
    from rostrum.base.errors import Invalid
    from rostrum.base.json_text import parse

    if text is None:
        return None
    try:
        value = parse(Path(text[1:]).read_bytes() if text.startswith("@") else text.encode())
    except OSError as error:
        fail(f"{name}: {text[1:]} cannot be read: {(error.strerror or str(error)).lower()}", 2)
    except Invalid as error:
        fail(f"{name} must be JSON: {error}", 2)
    if not isinstance(value, dict):
        fail(f'{name} must be a JSON object such as \'{{"symbol": "VOD"}}\'', 2)
    return value
