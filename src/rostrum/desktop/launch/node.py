"""Apps of type node: Node.js scripts."""

from rostrum.base.placeholders import expand
from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch.exe import environment
from rostrum.desktop.launch.launcher import Launch, Launched, Surroundings
from rostrum.desktop.launch.process import find_program, split_arguments, start_process

__all__ = ["NodeLauncher"]

_OPTIONS = "--dns-result-order=ipv4first"


class NodeLauncher:
    """Starts scripts with the Node.js of this machine."""

    def __init__(self, surroundings: Surroundings, node: str = "node") -> None:
        """Take what apps are started in, and the name or path of Node.js."""
        self._in = surroundings
        self._node = node

    async def launch(self, launch: Launch) -> Launched:
        """Start a script."""
        details, name = launch.details, launch.definition["name"]
        if not details.get("path"):
            raise LaunchFailed(f"{name}: its details name no script; fetching remote scripts is not supported yet")
        script = self._in.root / expand(str(details["path"]), self._in.variables).text
        if not script.is_file():
            raise LaunchFailed(f"{name}: there is no script {script}")
        options = details.get("nodeCLIOptions")
        variables = environment(self._in, launch, {})
        if details.get("passGlueToken"):
            variables["ROSTRUM_TOKEN"] = await self._in.token(launch.instance)
        command = [
            find_program(self._node, None, self._in.variables),
            *split_arguments(_OPTIONS if options is None else str(options)),
            *_inspector(details.get("inspect"), "--inspect"),
            *_inspector(details.get("inspectBrk"), "--inspect-brk"),
            str(script),
            *split_arguments(str(details.get("parameters") or "")),
        ]
        return await start_process(
            command,
            folder=script.parent,
            variables=variables,
            output=self._in.logs / f"{launch.instance}.log" if details.get("logging") else None,
            ended=launch.ended,
        )


def _inspector(wanted: object, option: str) -> list[str]:
    if wanted is True:
        return [option]
    return [f"{option}={wanted:g}"] if isinstance(wanted, (int, float)) and wanted is not False else []
