"""The remote configuration of the 9.0 stream: gilding.json and what it makes the platform fetch."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rostrum.base.problems import Problem
from rostrum.sources.answer import is_file_name
from rostrum.sources.environment import Pair, pair_file
from rostrum.sources.errors import RemoteConfigFailed, SourceFailed
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.rest_source import open_client, post
from rostrum.sources.source import Fetched, FetchedFile, Impersonation, Remark, Source

__all__ = [
    "FILES_NEEDED_LOCALLY",
    "KEYS_NEEDED_LOCALLY",
    "RemoteConfig",
    "download_folder",
    "fetch_remote_config",
    "gilding_file",
    "missing_locally",
    "read_remote_config",
]

KEYS_NEEDED_LOCALLY = (
    "region",
    "env",
    "folders",
    "registerHtmlContainer",
    "switches",
    "flash",
    "protocolHandler",
    "allowMultipleInstances",
    "build",
)
FILES_NEEDED_LOCALLY = ("stickywindows.json", "channels.json", "themes.json", "logger.json")

_NOT_EMPTY = "logger.json"
_TIME_LIMIT = 30.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteConfig:
    """The ``remoteConfig`` object.

    Attributes:
        folder: Where downloads go; empty for the configOverrides folder.

    """

    enabled: bool = False
    url: str = ""
    continue_on_error: bool = False
    file_suffix: str = ""
    folder: str = ""
    user: str | None = None
    version: str | None = None
    insecure_ssl: bool = False
    wipe_folder: bool = False


_SWITCHES = {
    "enabled": "enabled",
    "continueOnError": "continue_on_error",
    "insecureSSL": "insecure_ssl",
    "wipeFolder": "wipe_folder",
}
_TEXTS = {"url": "url", "fileSuffix": "file_suffix", "folder": "folder"}


def gilding_file(folder: Path, pair: Pair, named: str | None = None) -> Path | None:
    """Find the file: the one named on the command line, else the pair's own, else ``gilding.json``."""
    if named is not None:
        return folder / named
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file()) if folder.is_dir() else []
    name = pair_file(names, pair, "gilding") or ("gilding.json" if "gilding.json" in names else None)
    return None if name is None else folder / name


def read_remote_config(document: Any) -> tuple[RemoteConfig, tuple[Problem, ...]]:
    """Read ``remoteConfig``; a wrong member keeps its default and is a problem."""
    value = document.get("remoteConfig") if isinstance(document, dict) else None
    if value is None:
        return RemoteConfig(), ()
    if not isinstance(value, dict):
        return RemoteConfig(), (Problem(path="remoteConfig", message="must be an object"),)
    problems: list[Problem] = []
    members = _members(value, _SWITCHES, lambda member: isinstance(member, bool), "true or false", problems)
    members |= _members(value, _TEXTS, lambda member: isinstance(member, str), "text", problems)
    someone = value.get("impersonation") or {}
    if not isinstance(someone, dict) or not all(isinstance(part, str) for part in someone.values()):
        problems.append(Problem(path="remoteConfig.impersonation", message="must be an object of user and version"))
        someone = {}
    problems.extend(_contradictions(members))
    remote = RemoteConfig(**members, user=someone.get("user"), version=someone.get("version"))
    return remote, tuple(problems)


def _members(
    value: Mapping[str, Any],
    names: Mapping[str, str],
    check: Callable[[Any], bool],
    allowed: str,
    problems: list[Problem],
) -> dict[str, Any]:
    given = {wire: value[wire] for wire in names if value.get(wire) is not None}
    problems.extend(
        Problem(path=f"remoteConfig.{wire}", message=f"must be {allowed}")
        for wire, member in given.items()
        if not check(member)
    )
    return {names[wire]: member for wire, member in given.items() if check(member)}


def _contradictions(members: dict[str, Any]) -> Iterator[Problem]:
    if members.get("enabled") and not members.get("url"):
        yield Problem(path="remoteConfig.url", message="must be the address to fetch from")
    if not is_file_name(f"system{members.get('file_suffix', '')}.json"):
        yield Problem(path="remoteConfig.fileSuffix", message="cannot be part of a file name")
        members.pop("file_suffix")


def download_folder(remote: RemoteConfig, overrides: Path, root: Path) -> Path:
    """Return where downloads go: the folder it names, or the configOverrides folder of the pair."""
    return root / remote.folder if remote.folder else overrides


async def fetch_remote_config(
    remote: RemoteConfig, cache: OverridesCache, *, time_limit: float = _TIME_LIMIT
) -> Fetched | None:
    """Fetch and save the files; None when not enabled; raise RemoteConfigFailed unless it may go on without them."""
    if not remote.enabled:
        return None
    source = Source(
        type="rest",
        source=remote.url,
        impersonation=Impersonation(user=remote.user, group=None, version=remote.version),
    )
    try:
        async with open_client(insecure=remote.insecure_ssl) as client:
            files = await post(client, remote.url, source.impersonation.body(), timeout=time_limit)
        await asyncio.to_thread(_save, remote, cache, files)
    except (SourceFailed, OSError) as error:
        reason = f"{source.name}: {error}"
        if not remote.continue_on_error:
            raise RemoteConfigFailed(f"the remote configuration cannot be fetched: {reason}") from error
        _log.warning("the remote configuration cannot be fetched, going on without it: %s", reason)
        return Fetched(status="failed", error=str(error), remarks=(Remark(source=source.name, message=str(error)),))
    return Fetched(files=files)


def _save(remote: RemoteConfig, cache: OverridesCache, files: Mapping[str, FetchedFile]) -> None:
    # Only a good answer wipes: a dead server must not cost the files of the last start.
    named = {f"{name.removesuffix('.json')}{remote.file_suffix}.json": file.document for name, file in files.items()}
    cache.publish(named, wipe=remote.wipe_folder)


def missing_locally(local: Mapping[str, FetchedFile]) -> tuple[Problem, ...]:
    """Name the keys and files that the 9.0 stream needs locally and does not find."""
    system = local.get("system.json")
    document = system.document if system is not None else {}
    problems = [
        Problem(path=key, message="must be set in the local system.json")
        for key in KEYS_NEEDED_LOCALLY
        if key not in document
    ]
    for name in FILES_NEEDED_LOCALLY:
        if name not in local:
            problems.append(Problem(path="", message=f"{name} must exist locally"))
        elif name == _NOT_EMPTY and not local[name].document:
            problems.append(Problem(path="", message=f"{name} must not be empty"))
    return tuple(problems)
