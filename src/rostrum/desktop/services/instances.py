"""Instances: the running apps."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from rostrum.base.shown_text import shown_text
from rostrum.base.signal import Signal
from rostrum.desktop.app_tokens import AppTokens
from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError, LaunchFailed, UnknownApp
from rostrum.desktop.launch.launcher import Launch, Launched, Launcher, Placement
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.titles import InstanceCounter, TitledBy, takes_title, title_of
from rostrum.settings.scope import AppType
from rostrum.stores.apps.store import Definition

_log = logging.getLogger(__name__)

_MOST_BY_ONE_APP = 50
"""Apps need no click of the user to start others. The limit leaves room for apps that are launchers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedBy:
    """The origin of a start: an app, directly or by raising an intent, or the platform itself."""

    kind: Literal["application", "intent", "autoStart"] = "autoStart"
    app: str = ""
    instance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One running app.

    Attributes:
        automatic: Whether it was started with the platform, not by a user, a layout or another app.
        titled_by: Where its title comes from.
        context: The context that it was started with, and that apps may update later.
        opener: The instance whose page has opened it as a further window of its app, if any.
        launched: Whether its window is open or its process runs; False while it is being started.
    """

    id: str
    app: str
    type: str
    index: int
    title: str
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    process: int | None = None
    definition: Definition = field(default_factory=dict, repr=False)
    automatic: bool = False
    titled_by: TitledBy = TitledBy.FORMAT
    started_by: StartedBy = field(default_factory=StartedBy)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    opener: str | None = None
    launched: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """An ended instance, and how it ended.

    Attributes:
        failure: Why it could not be started; empty for one that ran.
    """

    instance: Instance
    code: int | None
    wanted: bool
    failure: str = ""

    @property
    def crashed(self) -> bool:
        """Return whether it crashed."""
        return not self.wanted and self.code not in (None, 0)


@dataclass(slots=True)
class _Running:
    instance: Instance
    app: Launched | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the launch has succeeded or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    context: Mapping[str, Any]
    load_page: bool = True
    automatic: bool = False
    by: StartedBy = field(default_factory=StartedBy)
    opener: str | None = None
    adopts: str = ""
    placement: Placement = field(default_factory=Placement)


def start_arguments(arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any] | None]:
    """Read the name and the context of a start from a client or an intercepting app."""
    context = arguments.get("context")
    if context is not None and not isinstance(context, Mapping):
        raise DesktopError("context must be an object")
    return text(arguments, "name"), context


class Instances:
    """Starts, tracks and ends apps.

    Attributes:
        started: Emitted with each new instance before its page loads or its process runs: clients may connect before
            the launch has finished.
        launched: Emitted with each one whose window is open or whose process is running.
        failed: Emitted with the id of each one that could not be started, before ``ended``.
        ended: Emitted with each ended instance; exactly once for each started one.
        retitled: Emitted with each one whose title changed.
        context_changed: Emitted with each one whose context changed.
        default_context: Returns the context of an app that is started without one.
    """

    def __init__(
        self,
        find: Callable[[str], Definition | None],
        launchers: Mapping[str, Launcher],
        *,
        title_format: str | None = None,
        new_id: Callable[[], str],
        names: Callable[[], Iterable[str]] = tuple,
        intercept: Callable[[Operation], Awaitable[Operation]] | None = None,
    ) -> None:
        """Start apps by their definitions, with a launcher for each type in lower case.

        ``names`` returns the apps for suggestions when a name is unknown. ``intercept`` passes every start to the app
        that intercepts starts; it raises Prevented if that app prevents it.
        """
        self.started: Signal[Instance] = Signal()
        self.launched: Signal[Instance] = Signal()
        self.ended: Signal[Ended] = Signal()
        self.failed: Signal[str] = Signal()
        self.retitled: Signal[Instance] = Signal()
        self.context_changed: Signal[Instance] = Signal()
        self.default_context: Callable[[Definition], Mapping[str, Any]] = lambda _: {}
        self._find = find
        self._launchers = {kind.lower(): launcher for kind, launcher in launchers.items()}
        self._title_format = title_format
        self._new_id = new_id
        self._names = names
        self._intercept = intercept
        self._counter = InstanceCounter()
        self._running: dict[str, _Running] = {}
        self._stopping: set[str] = set()

    @property
    def all(self) -> tuple[Instance, ...]:
        """Return all instances that are running or being started, oldest first."""
        return tuple(running.instance for running in self._running.values())

    def get(self, instance: str) -> Instance | None:
        """Return an instance that is running or being started."""
        found = self._running.get(instance)
        return found.instance if found else None

    async def start(
        self,
        app: str,
        context: Mapping[str, Any] | None = None,
        *,
        load_page: bool = True,
        automatic: bool = False,
        caller: str = "",
        started_by: StartedBy | None = None,
        details: Mapping[str, Any] | None = None,
        placement: Placement | None = None,
    ) -> Instance:
        """Start an app; raise UnknownApp, LaunchFailed or Prevented if that is not possible.

        The page of a hidden tab may wait until it is selected (``load_page``). ``automatic`` marks apps that start with
        the platform. ``caller`` is the peer that requested the start; empty for the platform itself. ``details``
        replaces members of the definition's details for this instance, ``placement`` its position on the screen.
        """
        if self._intercept is not None:
            asked = {"name": app} | ({"context": dict(context)} if context else {})
            operation = Operation(area="Apps", name="Start", arguments=asked, caller=caller)
            app, context = start_arguments((await self._intercept(operation)).arguments)
        definition = self._find(app)
        if definition is None or definition.get("disabled"):
            raise UnknownApp(app, self._names())
        if definition.get("allowMultiple") is False and self._counter.running(app):
            raise LaunchFailed(f"{app} runs already, and may run only once")
        if details:
            definition = {**definition, "details": {**definition["details"], **details}}
        start = _Start(
            context=context or self.default_context(definition),
            load_page=load_page,
            automatic=automatic,
            by=started_by or StartedBy(),
            placement=placement or Placement(),
        )
        return await self._launch(app, definition, start)

    async def open_window(
        self, opener: str, title: str, details: Mapping[str, Any], context: Mapping[str, Any], *, adopts: str = ""
    ) -> Instance:
        """Open a further window of a running app, as another instance of the app; raise LaunchFailed or DesktopError.

        ``details`` replaces the details of the app's definition. ``adopts`` names an existing page of the window host
        (``WindowRequest.adopts``).
        """
        parent = self.get(opener)
        if parent is None:
            raise DesktopError(f"there is no instance {opener!r}")
        definition = {**parent.definition, "type": AppType.WINDOW, "title": title, "details": dict(details)}
        by = StartedBy(kind="application", app=parent.app, instance=parent.id)
        return await self._launch(parent.app, definition, _Start(context=context, by=by, opener=opener, adopts=adopts))

    async def _launch(self, app: str, definition: Definition, start: "_Start") -> Instance:
        kind = str(definition["type"])
        by = start.by.app
        if by and sum(one.started_by.app == by for one in self.all) >= _MOST_BY_ONE_APP:
            raise LaunchFailed(f"{by} has started {_MOST_BY_ONE_APP} running apps, the maximum; {app} is not started")
        launcher = self._launchers.get(kind.lower())
        if launcher is None:
            raise LaunchFailed(f"{app}: apps of type {kind} cannot be started")
        index = self._counter.start(app)
        identity = self._new_id()
        title = title_of(definition, index, self._title_format)
        instance = Instance(
            id=identity,
            app=app,
            type=kind,
            index=index,
            title=title,
            context=start.context,
            definition=definition,
            automatic=start.automatic,
            started_by=start.by,
            opener=start.opener,
        )
        launch = Launch(
            instance=identity,
            definition=definition,
            title=title,
            context=start.context,
            load_page=start.load_page,
            opener=start.opener,
            adopts=start.adopts,
            placement=start.placement,
            ended=lambda code: self._gone(identity, code),
        )
        running = self._running[identity] = _Running(instance)
        try:
            self.started.emit(instance)
            running.app = await launcher.launch(launch)
        except BaseException as error:
            if identity in self._running:
                self.failed.emit(identity)
                self._gone(identity, None, failure=str(error) or type(error).__name__)
            raise
        finally:
            running.settled.set()
        # Title, context, window or process may have changed in the meantime.
        running.instance = replace(running.instance, process=running.app.process, launched=True)
        if identity in self._running:
            self.launched.emit(running.instance)
        return running.instance

    async def stop(self, instance: str) -> None:
        """End an instance after its launch has finished; has no effect if it has ended."""
        found = self._running.get(instance)
        if found is None:
            return
        self._stopping.add(instance)
        await found.settled.wait()
        if found.app is not None and instance in self._running:
            await found.app.stop()

    async def stop_all(self, deadline: float) -> None:
        """End all apps that end with the platform, in parallel, within a time limit."""
        mortal = [
            instance.id
            for instance in self.all
            if instance.definition.get("details", {}).get("terminateOnShutdown") is not False
        ]
        try:
            async with asyncio.timeout(deadline):
                outcomes = await asyncio.gather(*(self.stop(one) for one in mortal), return_exceptions=True)
        except TimeoutError:
            _log.error("not every app ended within %g s", deadline)
            return
        for instance, outcome in zip(mortal, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                _log.error("the app %s did not end: %s", instance, outcome)

    def retitle(self, instance: str, title: str, by: TitledBy) -> bool:
        """Set the title of an instance; return whether it was applied."""
        found = self._running.get(instance)
        if found is None or not takes_title(found.instance.definition, found.instance.titled_by, by):
            return False
        found.instance = replace(found.instance, title=shown_text(title), titled_by=by)
        self.retitled.emit(found.instance)
        return True

    def set_context(self, instance: str, context: Mapping[str, Any]) -> None:
        """Replace the context of an instance; has no effect if it has ended."""
        found = self._running.get(instance)
        if found is not None and found.instance.context != context:
            found.instance = replace(found.instance, context=context)
            self.context_changed.emit(found.instance)

    def _gone(self, identity: str, code: int | None, *, failure: str = "") -> None:
        found = self._running.pop(identity, None)
        if found is None:
            return
        wanted = identity in self._stopping
        self._stopping.discard(identity)
        self._counter.end(found.instance.app)
        self.ended.emit(Ended(found.instance, code, wanted, failure))


class PageTokens:
    """Creates tokens for running instances only."""

    def __init__(self, tokens: AppTokens, instances: Instances) -> None:
        self._tokens = tokens
        self._instances = instances

    def token(self, instance: str) -> str:
        """Create a token with which a running instance, such as the page of a window, signs in to the gateway."""
        running = self._instances.get(instance)
        if running is None:
            raise DesktopError(f"there is no instance {instance!r}")
        return self._tokens.token(instance, running.app, running.type)
