"""The FDC3 agent of the desktop: apps, channels and starts of this desktop, on its own gateway."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from rostrum.agents import Profile, ProgramPeer, UserAgent
from rostrum.agents.profile import channel_definitions
from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.contracts.fdc3 import to_record
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Callers
from rostrum.desktop.errors import DesktopError, UnknownApp
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.channels import Channels, Joined
from rostrum.desktop.services.fdc3_resolver import Resolver
from rostrum.desktop.services.instances import Instances, StartedBy
from rostrum.fdc3 import Directory
from rostrum.fdc3.host import HostReply, Opened, OpenFailed
from rostrum.gateway import CallFailed
from rostrum.stores.apps.store import Definition

_log = logging.getLogger(__name__)


class DesktopProfiles:
    """The apps and channels of the one user of this desktop."""

    def __init__(self, user: str, apps: Apps, channels: Channels) -> None:
        self.changed: Signal[str] = Signal()
        self._apps = apps
        self._channels = channels
        apps.users.changed.connect(lambda _: self.changed.emit(user))
        channels.defined.connect(lambda _: self.changed.emit(user))

    async def read(self, user: str) -> Profile:  # noqa: ARG002 - there is one user
        """Return the apps that users may start, as directory records, and the channels."""
        records = [_record(one) for one in self._apps.definitions().values()]
        described = [{"name": name, "meta": meta} for name, meta in self._channels.described.items()]
        return Profile(Directory(records), channel_definitions(described))


def _record(definition: Definition) -> dict[str, Any]:
    """Convert an app to a directory record; an app of an FDC3 directory keeps the members of its own record."""
    record: dict[str, Any] = to_record(dict(definition))
    original = definition.get("fdc3")
    if not isinstance(original, Mapping):
        return record
    # The manifest for this platform may override these.
    changed = {name: record[name] for name in ("appId", "details", "interop") if name in record}
    return {**record, **original, **changed}


def program_of(callers: Callers) -> Callable[[str], ProgramPeer]:
    """Return the function that identifies the app of a gateway peer; the platform must have started it."""

    def decide(peer: str) -> ProgramPeer:
        caller = callers.of(peer)
        if caller.application is None or caller.instance is None:
            raise CallFailed(None, "Only apps that the platform has started can use the FDC3 agent of the desktop")
        return ProgramPeer(caller.application, caller.instance)

    return decide


class AgentPlatform:
    """The functions of the desktop for its agent: starts apps, shows the resolver, and shows channels."""

    id = "desktop"
    is_platform = True
    is_external = True
    can_deliver = False

    def __init__(
        self,
        agent: UserAgent,
        instances: Instances,
        channels: Channels,
        resolver: Resolver,
        background: BackgroundTasks,
    ) -> None:
        self._agent = agent
        self._instances = instances
        self._channels = channels
        self._resolver = resolver
        self._background = background

    def follow(self) -> None:
        """Start to serve the agent."""
        self._agent.attach(self)
        self._channels.joined.connect(self._on_joined)

    def send(self, event: dict[str, Any]) -> None:
        """Execute a request of the agent."""
        if event["kind"] == "open":
            self._background.begin(self._open(event))
        elif event["kind"] == "choose":
            self._resolver.ask(event, self._answer)
        elif event["kind"] == "choiceEnded":
            self._resolver.withdraw(event["request"])
        elif event["kind"] == "channelChanged":
            self._join(event["instanceId"], event["channelId"])

    async def _open(self, event: Mapping[str, Any]) -> None:
        source = self._instances.get(event["source"])
        by = StartedBy(kind="application", app=source.app if source else "", instance=event["source"])
        answer: Opened | OpenFailed
        try:
            started = await self._instances.start(event["appId"], started_by=by)
        except UnknownApp:
            answer = OpenFailed(request=event["request"], error="AppNotFound")
        except RostrumError as error:
            _log.warning("%s was not started for an FDC3 app: %s", event["appId"], error)
            answer = OpenFailed(request=event["request"])
        else:
            answer = Opened(request=event["request"], instance_id=started.id)
        self._answer(answer)

    def _answer(self, answer: HostReply) -> None:
        self._agent.handle(self, [answer])

    def _join(self, instance: str, channel_id: str | None) -> None:
        """Show the channel that an app has joined with FDC3 in the selector of its window."""
        if instance not in self._channels.members:
            return
        names = {one.user_channel.id: one.name for one in self._agent.profile.channels}
        wanted = () if channel_id is None else (names[channel_id],)
        # A window may have several channels; the last one is the channel of its app.
        if self._channels.of(instance)[-1:] != wanted:
            try:
                self._channels.choose(instance, wanted)
            except DesktopError as error:
                _log.warning("the channel of %s is not shown: %s", instance, error)

    def _on_joined(self, joined: Joined) -> None:
        """Join the app of a window to the channel that was selected for the window; the last one of several."""
        ids = {one.name: one.user_channel.id for one in self._agent.profile.channels}
        channel_id = ids.get(joined.channels[-1]) if joined.channels else None
        self._agent.select_channel(joined.instance, channel_id)
