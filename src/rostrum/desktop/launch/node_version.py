"""Selects the Node.js for a script: the first one that matches the version in its definition."""

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch.process import find_program

Version = tuple[int, ...]

_WANTED = re.compile(r"v?(\d{1,4})(?:\.(\d{1,4}|x|\*))?(?:\.(\d{1,4}|x|\*))?", re.ASCII)
_TOLD = re.compile(r"v(\d{1,4})\.(\d{1,4})\.(\d{1,4})", re.ASCII)
_TIMEOUT = 10.0


async def fitting_node(node: str, wanted: object, variables: Mapping[str, str]) -> str:
    """Find a Node.js of the same major version that is not older; raise LaunchFailed with the versions found.

    ``node`` is the path to use, or a name to find on the PATH and among the versions of nvm.
    """
    if wanted in (None, ""):
        return find_program(node, None, variables)
    least = _read(str(wanted))
    found: list[str] = []
    for path in _candidates(node, variables):
        version = await _version(path, variables)
        if version is not None and version[0] == least[0] and version >= least:
            return path
        found.append(f"{path} is {'.'.join(map(str, version))}" if version else f"{path} does not report a version")
    raise LaunchFailed(f"it needs Node.js {wanted} (nodeVersion); {', '.join(found) or 'none was found on the PATH'}")


def _read(wanted: str) -> Version:
    match = _WANTED.fullmatch(wanted.strip())
    if match is None:
        raise LaunchFailed(f"nodeVersion {wanted[:50]!r} is no version such as 20 or 20.11.1")
    return tuple(int(part) for part in match.groups() if part is not None and part.isdecimal())


def _candidates(node: str, variables: Mapping[str, str]) -> Iterator[str]:
    if Path(node).name != node:
        yield find_program(node, None, variables)
        return
    folders = [Path(one) for one in variables.get("PATH", "").split(os.pathsep) if one]
    seen: set[Path] = set()
    for folder in (*folders, *_of_nvm(variables)):
        with suppress(LaunchFailed):
            path = find_program(node, None, {"PATH": str(folder)})
            if (real := Path(path).resolve()) not in seen:
                seen.add(real)
                yield path


def _of_nvm(variables: Mapping[str, str]) -> list[Path]:
    """Return the folders of the versions that nvm has installed, the newest first."""
    home = variables.get("NVM_DIR")
    if not home:
        return []
    with suppress(OSError):
        installed = [
            (tuple(map(int, match.groups())), one)
            for one in (Path(home) / "versions" / "node").iterdir()
            if (match := _TOLD.fullmatch(one.name))
        ]
        return [folder / "bin" for _, folder in sorted(installed, reverse=True)]
    return []


async def _version(path: str, variables: Mapping[str, str]) -> Version | None:
    try:
        process = await asyncio.create_subprocess_exec(
            path,
            "--version",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(variables),
        )
    except OSError:
        return None
    try:
        async with asyncio.timeout(_TIMEOUT):
            told, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return None
    match = _TOLD.match(told.decode("ascii", "replace"))
    return None if match is None else tuple(map(int, match.groups()))
