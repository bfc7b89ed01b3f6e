"""The remote configuration of the 9.0 stream: gilding.json and the files that it configures."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import parse
from rostrum.base.problems import Problem
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import parse_document
from rostrum.settings.sections import gilding as section_of_gilding
from rostrum.sources.access import SourceAccess
from rostrum.sources.answer import is_file_name
from rostrum.sources.combine import Outcome
from rostrum.sources.environment import Pair, pair_file
from rostrum.sources.errors import RemoteConfigFailed, RequiredSourceFailed, SourceFailed
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.rest_source import open_client, post
from rostrum.sources.source import Fetched, FetchedFile, Remark, RequestIdentity, Source

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
        folder: Folder for downloads; empty for the configOverrides folder.
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

    @property
    def impersonation(self) -> RequestIdentity:
        """Return the identity for the request; this stream has no groups."""
        return RequestIdentity(user=self.user, group=None, version=self.version)


def gilding_file(folder: Path, pair: Pair, named: str | None = None) -> Path | None:
    """Find the file: from the command line, or for the pair, or ``gilding.json``."""
    if named is not None:
        return folder / named
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file()) if folder.is_dir() else []
    name = pair_file(names, pair, "gilding") or ("gilding.json" if "gilding.json" in names else None)
    return None if name is None else folder / name


@dataclass(frozen=True, slots=True, kw_only=True)
class Gilding:
    """The parsed gilding file of the 9.0 stream; empty if it does not exist."""

    document: Any = None
    remote: RemoteConfig = RemoteConfig()
    problems: tuple[Problem, ...] = ()

    def on_behalf_of(self, someone: RequestIdentity) -> "Gilding":
        """Return the same file, with requests for the configuration of another user or version."""
        return replace(self, remote=replace(self.remote, user=someone.user, version=someone.version))


def read_gilding(folder: Path, pair: Pair, named: str | None, version: str) -> Gilding:
    """Read the gilding file of a folder; raise RequiredSourceFailed if it cannot be read."""
    path = gilding_file(folder, pair, named)
    if path is None:
        return Gilding()
    try:
        parsed = parse(path.read_bytes())
    except (OSError, Invalid) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RequiredSourceFailed([(str(path), reason or "cannot be read")]) from error
    remote, problems = read_remote_config(parsed.value, version)
    return Gilding(document=parsed.value, remote=remote, problems=problems)


def read_remote_config(document: Any, version: str = "9.9") -> tuple[RemoteConfig, tuple[Problem, ...]]:
    """Read ``remoteConfig``; an invalid member gets its default and is reported."""
    parsed = parse_document(SettingsFile.GILDING, document if document is not None else {}, version=version)
    section = cast("section_of_gilding.Gilding", parsed.settings).remote_config
    someone = section.impersonation
    remote = RemoteConfig(
        enabled=bool(section.enabled),
        url=section.url or "",
        continue_on_error=bool(section.continue_on_error),
        file_suffix=section.file_suffix or "",
        folder=section.folder or "",
        user=someone.user if someone else None,
        version=someone.version if someone else None,
        insecure_ssl=bool(section.insecure_ssl),
        wipe_folder=bool(section.wipe_folder),
    )
    problems: list[Problem] = list(parsed.problems)
    if remote.enabled and not remote.url:
        problems.append(Problem(path="remoteConfig.url", message="must be the address to fetch from"))
    if not is_file_name(f"system{remote.file_suffix}.json"):
        problems.append(Problem(path="remoteConfig.fileSuffix", message="cannot be part of a file name"))
        remote = replace(remote, file_suffix="")
    return remote, tuple(problems)


async def remote_outcome(
    gilding: Gilding, overrides: OverridesCache, root: Path, access: SourceAccess | None = None
) -> Outcome | None:
    """Fetch the files that the gilding file configures, as a source that overrides the local ones."""
    remote = gilding.remote
    cache = replace(overrides, folder=download_folder(remote, overrides.folder, root))
    fetched = await fetch_remote_config(remote, cache, access=access)
    return None if fetched is None else Outcome(_source(remote), fetched)


def download_folder(remote: RemoteConfig, overrides: Path, root: Path) -> Path:
    """Return the folder for downloads: the configured one, or the configOverrides folder of the pair."""
    return root / remote.folder if remote.folder else overrides


async def fetch_remote_config(
    remote: RemoteConfig,
    cache: OverridesCache,
    *,
    time_limit: float = _TIME_LIMIT,
    access: SourceAccess | None = None,
) -> Fetched | None:
    """Fetch and save the files; None if disabled. Raise RemoteConfigFailed unless errors are tolerated."""
    if not remote.enabled:
        return None
    source = _source(remote)
    try:
        async with open_client(insecure=remote.insecure_ssl) as client:
            body = source.impersonation.body()
            files = (await post(client, remote.url, body, timeout=time_limit, access=access)).files
        await asyncio.to_thread(_save, remote, cache, files)
    except (SourceFailed, OSError) as error:
        reason = f"{source.name}: {error}"
        if not remote.continue_on_error:
            raise RemoteConfigFailed(f"the remote configuration cannot be fetched: {reason}") from error
        _log.warning("the remote configuration cannot be fetched, continuing without it: %s", reason)
        return Fetched(status="failed", error=str(error), remarks=(Remark(source=source.name, message=str(error)),))
    return Fetched(files=files)


def _source(remote: RemoteConfig) -> Source:
    return Source(type="rest", source=remote.url, impersonation=remote.impersonation)


def _save(remote: RemoteConfig, cache: OverridesCache, files: Mapping[str, FetchedFile]) -> None:
    # Delete old files only after a successful response: an outage must not remove the files of the last start.
    named = {f"{name.removesuffix('.json')}{remote.file_suffix}.json": file.document for name, file in files.items()}
    cache.publish(named, wipe=remote.wipe_folder)


def missing_locally(local: Mapping[str, FetchedFile]) -> tuple[Problem, ...]:
    """List the keys and files that the 9.0 stream requires locally and that are missing."""
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
