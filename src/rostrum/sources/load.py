"""Loads the configuration: reads local files, fetches the declared sources, then merges, checks and stores them."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rostrum.base.addresses import url_origin
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.placeholders import expand
from rostrum.base.problems import Problem
from rostrum.base.retry import Sleep
from rostrum.settings.catalogue import local_only_paths
from rostrum.settings.consistency import inconsistencies
from rostrum.settings.merge import Merged
from rostrum.settings.parse import ADVANCED_MODE, NEWEST, parse_early, parse_system, running_for
from rostrum.settings.scope import Mode, Stream
from rostrum.settings.sections.server import Server
from rostrum.settings.sections.sso_auth import SsoAuth
from rostrum.settings.settings import EarlySettings, Settings
from rostrum.settings.standard_files import check_standard_file
from rostrum.sources.access import SourceAccess
from rostrum.sources.check import FileProblem
from rostrum.sources.combine import Combined, Outcome, ValueOrigin, fetch_all, merge_all, require
from rostrum.sources.declared import Declared, declared_sources
from rostrum.sources.environment import NO_PAIR, Pair, assign
from rostrum.sources.errors import LocalConfigIncomplete, RequiredSourceFailed
from rostrum.sources.fetch import SourceReader, publish
from rostrum.sources.gilding import Gilding, missing_locally, read_gilding, remote_outcome
from rostrum.sources.live import Reapplied
from rostrum.sources.locate import Arguments, Folders, first_sources, pair_folders
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.path_source import PathReader
from rostrum.sources.report import Places, from_remarks, placed
from rostrum.sources.rest_source import Answers, RestReader, open_client
from rostrum.sources.source import SYSTEM_FILE, Fetched, FetchedFile, RequestIdentity, Source
from rostrum.sources.trusted_origins import TrustedOrigins

_NOTHING: Merged[ValueOrigin] = Merged({}, {})
_ENV_FILE = "env.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Input that is known before any file is read.

    Attributes:
        root: Base folder of relative paths.
        env: Overrides the environment of the local files; ``region`` likewise.
        impersonation: Overrides the declared identity for remote sources; members that are None do not.
    """

    root: Path
    arguments: Arguments = field(default_factory=Arguments)
    variables: Mapping[str, str] = field(default_factory=dict)
    version: str = NEWEST
    env: str | None = None
    region: str | None = None
    impersonation: RequestIdentity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalManager:
    """The manager that the local files configure; users can sign in there before anything is fetched."""

    server: Server = field(default_factory=Server)
    sso_auth: SsoAuth = field(default_factory=SsoAuth)

    @property
    def url(self) -> str | None:
        return self.server.url

    @property
    def origin(self) -> str | None:
        """Return the only origin that receives the credentials of the manager."""
        return url_origin(self.url)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Early:
    """The result of the local files, for code that runs before anything is fetched.

    Attributes:
        reapplied: The initial values of the settings that may change while the platform runs.
        variables: The environment variables for apps, as far as known.
        sources: All sources in the order they were declared, the base files first.
        local: The results of the local sources.
        trusted: The origins to which remote sources may refer.
        missing: Required settings and files that the local files of the 9.0 stream lack.
        manager: The manager that the local files configure.
    """

    start: Start
    pair: Pair
    folders: Folders
    settings: EarlySettings
    reapplied: Reapplied
    variables: Mapping[str, str]
    sources: tuple[Source, ...]
    local: Mapping[Source, Fetched]
    trusted: TrustedOrigins
    manager: LocalManager
    unusable: tuple[str, ...]
    missing: tuple[str, ...]
    gilding: Gilding | None
    problems: tuple[FileProblem, ...]

    def contents(self, file: str) -> Any:
        """Return the contents of a standard file, merged from the local sources; None if no source has it."""
        outcomes = [Outcome(source, self.local[source]) for source in self.sources if source in self.local]
        merged = merge_all(outcomes, pair=self.pair).files.get(file)
        return None if merged is None else merged.document

    @property
    def mode(self) -> Mode:
        """Return the mode for which the settings were read."""
        return running_for({ADVANCED_MODE: self.settings.advanced_mode}, self.start.version).mode

    @property
    def is_configured_by_manager(self) -> bool:
        """Return whether a source has the origin of the manager, which serves only signed-in users."""
        return self.manager.origin is not None and self.manager.origin in self._remote_origins()

    @property
    def has_plain_rest_sources(self) -> bool:
        """Return whether there are remote sources other than the manager."""
        return self.gilding is None and bool(self._remote_origins() - {self.manager.origin})

    def _remote_origins(self) -> set[str | None]:
        found = {url_origin(source.source) for source in self.sources if source.type == "rest"}
        remote = self.gilding.remote if self.gilding else None
        return found | ({url_origin(remote.url)} if remote and remote.enabled else set())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Loaded:
    """The effective settings, with the origin of each."""

    early: Early
    settings: Settings
    combined: Combined
    variables: Mapping[str, str]
    problems: tuple[FileProblem, ...]

    @property
    def system(self) -> Merged[ValueOrigin]:
        """Return the merged system.json with the origin of each value."""
        return self.combined.files.get(SYSTEM_FILE, _NOTHING)

    def contents(self, file: str) -> Any:
        """Return the merged contents of a standard file; None if no source has it."""
        merged = self.combined.files.get(file)
        return None if merged is None else merged.document


def load_early(start: Start) -> Early:
    """Read the local files; raise RequiredSourceFailed if a required one cannot be read."""
    base = first_sources(start.arguments, start.root)
    pair = _pair(start, _system(_read(start.root, base, NO_PAIR), NO_PAIR).document)
    local = _read(start.root, base, pair)
    first = _system(local, pair)
    running = running_for(first.document, start.version)
    gilding, declared = None, Declared()
    if running.stream is Stream.V9:
        gilding = read_gilding(start.root / base[0].source, pair, start.arguments.gilding_file, start.version)
        gilding = gilding.on_behalf_of(_for(gilding.remote.impersonation, start))
    else:
        declared = declared_sources(first.document, running, start.variables)
    sources, local = _ranked(start, local, declared.sources)
    local |= _read(start.root, [one for one in sources if one.type == "path" and one not in local], pair)
    system = _system(local, pair, sources)
    early = parse_early(system.document, version=start.version)
    settings = parse_system(system.document, version=start.version).settings
    folders, unknown = pair_folders(early.settings.folders, pair, start.root, start.variables)
    variables, unset = assign(start.variables, gilding.document if gilding else None, ("envVars", "set"))
    problems: list[Problem] = [*early.problems, *declared.problems, *unknown, *unset]
    missing: tuple[Problem, ...] = ()
    if gilding is not None:
        files = {name: file for fetched in local.values() for name, file in fetched.files.items()}
        missing = missing_locally({**files, SYSTEM_FILE: FetchedFile(name=SYSTEM_FILE, document=system.document)})
        problems += [*gilding.problems, *missing]
    return Early(
        start=start,
        pair=pair,
        folders=folders,
        settings=early.settings,
        reapplied=Reapplied.of(settings),
        variables=variables,
        sources=sources,
        local=local,
        trusted=TrustedOrigins.of(system.document, early.settings.trusted_origins),
        manager=LocalManager(server=settings.server, sso_auth=settings.sso_auth),
        unusable=declared.unusable,
        missing=tuple(map(str, missing)),
        gilding=gilding,
        problems=tuple(placed(problems, Places(system))),
    )


def require_complete(early: Early) -> None:
    """Raise LocalConfigIncomplete if the local files of the 9.0 stream lack required settings."""
    if early.missing:
        raise LocalConfigIncomplete(str(early.start.root / early.sources[0].source), early.missing)


async def load_all(
    early: Early,
    *,
    sleep: Sleep = asyncio.sleep,
    clock: Clock | None = None,
    save: bool = True,
    access: SourceAccess | None = None,
    answers: Answers | None = None,
) -> Loaded:
    """Fetch all sources, merge, validate, and save remote files; raise an error if a required source fails."""
    outcomes = await fetch_sources(early, sleep=sleep, clock=clock, save=save, access=access, answers=answers)
    require_all(early, outcomes)
    loaded = finalize(early, outcomes)
    remote = [outcome.fetched.unchanged for outcome in outcomes if outcome.source.type == "rest"]
    is_saved = bool(remote) and all(remote)
    return await save_copies(loaded, clock=clock) if save and not is_saved else loaded


async def fetch_sources(
    early: Early,
    *,
    sleep: Sleep = asyncio.sleep,
    clock: Clock | None = None,
    save: bool = True,
    access: SourceAccess | None = None,
    answers: Answers | None = None,
) -> tuple[Outcome, ...]:
    """Return the results of all sources, including failed ones, in the declared order.

    ``access`` has the credentials for sources; ``answers`` has the responses of earlier calls, for conditional
    requests.
    """
    access = access or SourceAccess()
    cache = replace(_cache(early, clock), account_of=access.account_of)
    known = dict(early.local)
    others = [source for source in early.sources if source not in early.local]
    # Opening a client reads the certificates of this machine, which is slow.
    if others:
        async with open_client() as client:
            path = PathReader(early.start.root, early.pair)
            rest = RestReader(client, sleep, access=access, answers={} if answers is None else answers)
            reader = SourceReader(path, rest, cache, keeps=save, access=access)
            known |= {outcome.source: outcome.fetched for outcome in await fetch_all(others, reader)}
    outcomes = tuple(Outcome(source, known[source]) for source in early.sources)
    remote = await remote_outcome(early.gilding, cache, early.start.root, access) if early.gilding else None
    return outcomes if remote is None else (*outcomes, remote)


def require_all(early: Early, outcomes: Iterable[Outcome]) -> None:
    """Raise RequiredSourceFailed if a required source failed or its declaration is invalid."""
    require(outcomes)
    if early.unusable:
        raise RequiredSourceFailed([(path, "is invalid") for path in early.unusable])


def finalize(early: Early, outcomes: tuple[Outcome, ...]) -> Loaded:
    """Merge the fetched files and read the settings of the platform; nothing is fetched or written."""
    combined = merge_all(outcomes, pair=early.pair, local_only=local_only_paths(), trusted=early.trusted)
    system = combined.files.get(SYSTEM_FILE, _NOTHING)
    parsed = parse_system(system.document, version=early.start.version)
    variables, unset = _variables(early, combined, parsed.settings.env_vars.set)
    early_paths = {finding.path for finding in early.problems}
    problems = [
        *early.problems,
        *from_remarks(one for one in combined.remarks if one.file != early.start.arguments.gilding_file),
        *(one for one in placed(parsed.problems, Places(system)) if one.path not in early_paths),
        *placed(inconsistencies(parsed.settings), Places(system)),
        *placed(unset, Places(combined.files.get(_ENV_FILE, _NOTHING) if early.gilding else system)),
        *_in_standard_files(combined),
    ]
    return Loaded(
        early=early,
        settings=parsed.settings,
        combined=combined,
        variables=variables,
        problems=tuple(problems),
    )


def _in_standard_files(combined: Combined) -> Iterator[FileProblem]:
    for name, merged in combined.files.items():
        yield from placed(check_standard_file(name, merged.document), Places(merged))


async def save_copies(loaded: Loaded, *, clock: Clock | None = None) -> Loaded:
    """Save the files of remote sources in the configOverrides folder; the 9.0 stream does this while fetching."""
    if loaded.early.gilding is not None:
        return loaded
    unsaved = await asyncio.to_thread(publish, _cache(loaded.early, clock), loaded.combined)
    return replace(loaded, problems=(*loaded.problems, *from_remarks(unsaved)))


def _read(root: Path, sources: Iterable[Source], pair: Pair) -> dict[Source, Fetched]:
    reader = PathReader(root, pair)
    local = {source: reader.read(source) for source in sources}
    require(Outcome(source, fetched) for source, fetched in local.items())
    return local


def _system(local: Mapping[Source, Fetched], pair: Pair, order: Iterable[Source] | None = None) -> Merged[ValueOrigin]:
    outcomes = [Outcome(source, local[source]) for source in (order or local) if source in local]
    return merge_all(outcomes, pair=pair).files.get(SYSTEM_FILE, _NOTHING)


def _pair(start: Start, document: Any) -> Pair:
    env, region = (document.get(key) for key in ("env", "region"))
    return Pair(
        start.env if start.env is not None else env if isinstance(env, str) else "",
        start.region if start.region is not None else region if isinstance(region, str) else "",
    )


def _ranked(
    start: Start, local: Mapping[Source, Fetched], declared: Iterable[Source]
) -> tuple[tuple[Source, ...], dict[Source, Fetched]]:
    """Order the declared sources after the base files; a declared base folder changes its own rank."""
    known = {_resolved(start.root / source.source): source for source in local}
    read = dict(local)
    others: list[Source] = []
    for source in declared:
        base = known.pop(_resolved(start.root / source.source), None) if source.type == "path" else None
        if base is None:
            others.append(replace(source, impersonation=_for(source.impersonation, start)))
        else:
            ranked = replace(base, configs=source.configs, priority=source.priority, required=source.required)
            read[ranked] = read.pop(base)
            others.append(ranked)
    # A folder or address that is declared twice is requested once; the later declaration counts.
    return (*known.values(), *reversed(dict.fromkeys(reversed(others)))), read


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        # A circular link or an invalid character: reading the path reports the error.
        return path


def _for(declared: RequestIdentity, start: Start) -> RequestIdentity:
    """Return the identity for requests: from the command line, as declared, and with the platform version."""
    asked = start.impersonation or RequestIdentity(group=None)
    return RequestIdentity(
        user=asked.user or declared.user,
        group=asked.group or declared.group,
        version=asked.version or declared.version or start.version,
    )


def _cache(early: Early, clock: Clock | None) -> OverridesCache:
    return OverridesCache(early.folders.overrides, clock or SystemClock())


def _variables(
    early: Early, combined: Combined, settings: Mapping[str, Any] | None
) -> tuple[Mapping[str, str], tuple[Problem, ...]]:
    """Add the variables of envVars.set in system.json, or of a remote env.json of the 9.0 stream."""
    if early.gilding is None:
        filled = {
            name: expand(value, early.variables).text if isinstance(value, str) else value
            for name, value in (settings or {}).items()
        }
        return assign(early.variables, {"envVars": {"set": filled}}, ("envVars", "set"))
    if not running_for({}, early.start.version).has("9.9"):
        return early.variables, ()
    documents = [
        outcome.fetched.files[_ENV_FILE].document
        for outcome in combined.sources
        if outcome.source.type == "rest" and _ENV_FILE in outcome.fetched.files
    ]
    return assign(early.variables, documents[-1] if documents else None)
