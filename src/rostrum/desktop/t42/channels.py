"""T42.Channels: channels for the client libraries, in both directions."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.channels import DELIMITER, Channels, Joined, channel_names
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.t42.commands import Command, commands, flag, mapping, optional_text, refusing, text_list
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import Invocation

_METHOD = "T42.Channels.Announce"
_APP_METHOD = "T42.Channels.Command"
_SELECTOR_METHOD = "T42.ChannelSelector.Execute"


async def offer(
    peer: LocalPeer,
    channels: Channels,
    instances: Instances,
    *,
    callers: Callers,
    calls: AppCalls,
    interceptors: Interceptors,
) -> None:
    """Register the methods, and forward channel changes to apps."""
    methods = _Methods(channels, instances, calls, interceptors)
    known = methods.commands
    announced = commands(callers, _METHOD, known, beside=("swId",))
    announce = refusing(callers, methods.announce)

    async def handle(invocation: Invocation) -> Any:
        # Only the announcement of an app is a call without a command.
        return await (announced if "command" in invocation.arguments else announce)(invocation)

    await peer.methods.register(_METHOD, handle)
    selector = {name: known[name] for name in ("switchChannel", "leaveChannel", "restrict", "restrictAll")}
    selector |= {name: known[name] for name in ("getRestrictions", "getChannelsInfo")}
    await peer.methods.register(_SELECTOR_METHOD, commands(callers, _SELECTOR_METHOD, selector, beside=("swId",)))
    channels.joined.connect(methods.joined)
    channels.restricted.connect(methods.restricted)
    callers.gone.connect(channels.forget)


class _Methods:
    def __init__(self, channels: Channels, instances: Instances, calls: AppCalls, interceptors: Interceptors) -> None:
        self._channels = channels
        self._instances = instances
        self._calls = calls
        self._interceptors = interceptors
        self.commands: dict[str, Command] = {
            "getChannelsMode": self._mode,
            "switchChannel": self._switch,
            "leaveChannel": self._leave,
            "restrict": self._restrict,
            "restrictAll": self._restrict_all,
            "getRestrictions": self._restrictions,
            "getChannelsInfo": self._info,
            "addChannel": self._add,
            "removeChannel": self._remove,
        }

    async def announce(self, _: Mapping[str, Any], caller: Caller) -> Any:
        return {"restrictions": self._listed(self._member({}, caller))}

    async def _mode(self, _: Mapping[str, Any], caller: Caller) -> Any:
        member = self._member({}, caller)
        joined = self._channels.of(member)
        mode = "multi" if self._channels.is_multiple(member) else "single"
        return {"mode": mode} | ({"initialChannel": DELIMITER.join(joined)} if joined else {})

    async def _switch(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        member = self._member(arguments, caller)
        wanted = channel_names(optional_text(arguments, "newChannel"))
        if not wanted:
            self._channels.leave(member, by=caller.peer)
            return {}
        asked = Operation(
            area="Channels",
            name="Join",
            arguments={"instance": member, "channel": DELIMITER.join(wanted)},
            caller=caller.peer,
        )
        allowed = (await self._interceptors.passed(asked)).arguments
        self._channels.join(text(allowed, "instance"), *channel_names(text(allowed, "channel")), by=caller.peer)
        return {}

    async def _leave(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        left = channel_names(optional_text(arguments, "channel"))
        self._channels.leave(self._member(arguments, caller), *left, by=caller.peer)
        return {}

    async def _restrict(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        read, write = flag(arguments, "read"), flag(arguments, "write")
        self._channels.restrict(self._member(arguments, caller), text(arguments, "name"), read=read, write=write)
        return {}

    async def _restrict_all(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        read, write = flag(arguments, "read"), flag(arguments, "write")
        self._channels.restrict_all(self._member(arguments, caller), read=read, write=write)
        return {}

    async def _restrictions(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        return self._listed(self._member(arguments, caller))

    async def _info(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        wanted = mapping(arguments, "filter")
        app, ids = optional_text(wanted, "application"), text_list(wanted, "windowIds")
        names = text_list(wanted, "channels")
        members = self._channels.members
        found = []
        for instance in self._instances.all:
            joined = members.get(instance.id)
            if (
                joined is None
                or (app is not None and instance.app != app)
                or (ids is not None and instance.id not in ids)
                or (names is not None and not set(names) & set(joined))
            ):
                continue
            shown = {"channel": DELIMITER.join(joined)} if joined else {}
            found.append({"windowId": instance.id, "application": instance.app, **shown})
        return {"windows": found}

    async def _add(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        await self._channels.add(text(arguments, "id"), text(arguments, "color"), optional_text(arguments, "label"))
        return {}

    async def _remove(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        await self._channels.remove(text(arguments, "id"))
        return {}

    def joined(self, joined: Joined) -> None:
        """Request the pages of an instance to switch channels, except the page that has switched by itself."""
        methods = [one for one in self._methods_of(joined.instance) if one.server != joined.by]
        if not self._channels.is_multiple(joined.instance):
            command = {"command": "join", "channel": joined.channels[0]} if joined.channels else {"command": "leave"}
            self._calls.notify(methods, command)
            return
        gone = [one for one in joined.before if one not in joined.channels]
        new = [one for one in joined.channels if one not in joined.before]
        if gone:
            self._calls.notify(methods, {"command": "leave-multi", "channelsToLeave": gone})
        if new:
            self._calls.notify(methods, {"command": "join-multi", "channelsToJoin": new})

    def restricted(self, instance: str) -> None:
        """Notify the pages of an instance of their changed access."""
        listed = self._listed(instance)
        command = {"command": "restrictions-changed", "restrictions": listed, "swId": instance}
        self._calls.notify(self._methods_of(instance), command)

    def _methods_of(self, member: str) -> Any:
        return self._calls.of_instance(member, _APP_METHOD) or self._calls.of_peer(member, _APP_METHOD)

    def _listed(self, member: str) -> dict[str, Any]:
        found = self._channels.restrictions(member).items()
        return {"channels": [{"name": name, "read": one.read, "write": one.write} for name, one in found]}

    def _member(self, arguments: Mapping[str, Any], caller: Caller) -> str:
        """Return the owner of the channels: the named window, or by default the caller's own.

        A program that was not started by the platform has no window, and is identified by its connection.
        """
        named = optional_text(arguments, "swId")
        if named is not None and self._instances.get(named) is not None:
            return named
        if named is not None and caller.instance is not None and named != caller.instance:
            raise DesktopError(f"there is no window {named!r}")
        return caller.instance or caller.peer
