"""Connects the channel selectors of windows with the channels service."""

import logging
from collections.abc import Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.port import ChannelAccess, ChannelColor, WindowHost
from rostrum.desktop.hosts.reports import ChannelChosen, ChannelRestricted, Reports
from rostrum.desktop.services.channels import Channels, Restriction, channel_names
from rostrum.desktop.services.instances import Ended, Instance, Instances
from rostrum.desktop.windows.chrome import first_channel, refused_type, selector_of
from rostrum.settings.settings import Settings

_log = logging.getLogger(__name__)
_SEVERAL = ("multi", "directionalMulti")


class ChannelSelectors:
    """Synchronizes the selectors on the screen with the channels service."""

    def __init__(self, channels: Channels, host: WindowHost, settings: Settings, background: BackgroundTasks) -> None:
        """Show the channels of the service."""
        self._channels = channels
        self._host = host
        self._settings = settings
        self._background = background
        self._without_window: set[str] = set()
        channels.joined.connect(lambda joined: self._draw(joined.instance))
        channels.restricted.connect(self._draw)
        channels.defined.connect(lambda _: self._background.begin(self.show()))

    def follow(self, instances: Instances, reports: Reports) -> None:
        """Join new instances to their first channel, and handle selections of the user."""
        self._instances = instances
        instances.started.connect(self._started)
        instances.launched.connect(self._launched)
        instances.ended.connect(self._ended)
        reports.listen(ChannelChosen, self._chosen)
        reports.listen(ChannelRestricted, self._restricted)

    async def show(self) -> None:
        """Set the available channels in all selectors."""
        described = self._channels.described.items()
        colors = (ChannelColor(name=name, color=str(meta.get("color") or "")) for name, meta in described)
        await self._host.set_channels(tuple(colors))

    def _started(self, instance: Instance) -> None:
        self._without_window.add(instance.id)
        details: Mapping[str, Any] = instance.definition.get("details") or {}
        written = self._settings.windows.channel_selector
        web = self._settings.window_management.group.type == "Web"
        selector = selector_of(instance.type, details, written, web=web)
        several = selector is not None and selector.type in _SEVERAL
        refused = refused_type(instance.type, details, written, web=web)
        if refused is not None:
            _log.warning(
                "%s: the channel selector of type %s is refused and selects one channel only; several channels need"
                " web groups (windowManagement.group.type)",
                instance.app,
                refused,
            )
        first = channel_names(first_channel(instance.type, details, written))
        self._channels.admit(instance.id, several=several)
        self._channels.protect(instance.id, _protected(details))
        self._channels.restore(instance.id, first or self._inherited(instance))

    def _inherited(self, instance: Instance) -> tuple[str, ...]:
        """Return the channels of an instance's opener, if its definition passes them on."""
        opener = instance.opener or instance.started_by.instance
        parent = None if self._instances is None else self._instances.get(opener)
        inherit = None if parent is None else parent.definition.get("childrenInheritChannel")
        if parent is None or not (inherit is True or (isinstance(inherit, list) and instance.app in inherit)):
            return ()
        return self._channels.of(parent.id)

    def _launched(self, instance: Instance) -> None:
        self._without_window.discard(instance.id)
        if self._channels.of(instance.id):
            self._draw(instance.id)

    def _ended(self, ended: Ended) -> None:
        self._without_window.discard(ended.instance.id)
        self._channels.forget(ended.instance.id)

    def _draw(self, instance: str) -> None:
        """Show the channels that an instance has joined, and its access to them."""
        if instance in self._without_window:
            return
        channels, known = self._channels.of(instance), self._channels.restrictions(instance)
        access = tuple(
            ChannelAccess(channel=name, read=known[name].read, write=known[name].write)
            for name in channels
            if name in known
        )
        self._background.begin(self._host.set_channel(instance, channels, access))

    def _chosen(self, chosen: ChannelChosen) -> None:
        try:
            self._channels.choose(chosen.instance, chosen.channels)
        except RostrumError as error:
            _log.warning("the channel chosen for %s is not joined: %s", chosen.instance, error)
            self._draw(chosen.instance)

    def _restricted(self, chosen: ChannelRestricted) -> None:
        try:
            self._channels.restrict(chosen.instance, chosen.channel, read=chosen.read, write=chosen.write)
        except RostrumError as error:
            _log.warning("the access of %s to %s is not changed: %s", chosen.instance, chosen.channel, error)
            self._draw(chosen.instance)


def _protected(details: Mapping[str, Any]) -> dict[str, Restriction]:
    """Return the restrictions that the definition of an app does not allow apps to change."""
    selector = details.get("channelSelector")
    listed = selector.get("preventModifyingRestrictionsFor") if isinstance(selector, Mapping) else None
    if not isinstance(listed, list):
        return {}
    return {
        str(one.get("name")): Restriction(read=one.get("read") is not True, write=one.get("write") is not True)
        for one in listed
        if isinstance(one, Mapping)
    }
