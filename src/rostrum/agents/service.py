"""The agents of all users of a gateway, and the methods with which platforms and programs connect to them."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from rostrum.agents.channel_bridge import ChannelBridge
from rostrum.agents.gateway_link import GatewayLink, Peer, PlatformPeer, ProgramPeer
from rostrum.agents.intent_bridge import IntentBridge
from rostrum.agents.link_messages import (
    CONNECT_STREAM,
    MOST_MESSAGES,
    SEND_METHOD,
    AppMessage,
    Connect,
    Disconnect,
    FromPlatform,
)
from rostrum.agents.profile import Profiles, ProfileUnavailable
from rostrum.agents.send_call import SendCall
from rostrum.agents.user_agent import UserAgent
from rostrum.agents.user_work import UserWork
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.ids import new_id
from rostrum.gateway import CallFailed, Gateway, LocalPeer
from rostrum.gateway.local.methods import Invocation, LocalStream, Subscriber
from rostrum.gateway.sessions import user_of_owner

_log = logging.getLogger("rostrum.agents")

_TICK_SECONDS = 1.0
_MOST_LINKS = 50
"""Maximum number of links of one user."""
_IDLE_SECONDS = 120.0
"""An agent that is unused for this time is removed."""


def peer_of_platforms(gateway: Gateway) -> Callable[[str], Peer]:
    """Accept each peer as a platform of its user, except apps whose connection a platform relays.

    The platform writes the identity of such an app itself, so the app cannot omit the marker.
    """

    def accept(peer: str) -> Peer:
        identity = gateway.identity_of(peer)
        if not identity.get("relayed"):
            return PlatformPeer()
        return ProgramPeer(str(identity.get("application")), str(identity.get("instance")))

    return accept


@dataclass(slots=True)
class _Running:
    """A running agent, with its bridges."""

    agent: UserAgent
    channels: ChannelBridge
    intents: IntentBridge
    peer: LocalPeer
    used: float
    work: UserWork


class AgentService:
    """Runs one agent for each user; users with the same name, but another account, have an agent of their own."""

    def __init__(
        self,
        gateway: Gateway,
        profiles: Profiles,
        accept: Callable[[str], Peer],
        *,
        version: str,
        clock: Clock | None = None,
    ) -> None:
        """Run agents on a gateway.

        Args:
            gateway: The gateway, which must be started.
            profiles: Reads the apps and channels of users.
            accept: Classifies a peer by its id; raises CallFailed to reject it.
            version: The version of the product.
            clock: The time.
        """
        self._gateway = gateway
        self._profiles = profiles
        self._accept = accept
        self._version = version
        self._clock = clock or SystemClock()
        self._began = self._clock.now().timestamp() - self._clock.monotonic()
        self._users: dict[str, _Running] = {}
        self._opening: dict[str, asyncio.Task[_Running]] = {}
        self._links: dict[str, tuple[GatewayLink, str]] = {}
        self._subscriptions: dict[str, GatewayLink] = {}
        self._stream: LocalStream | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, peer: LocalPeer) -> None:
        """Register the method and the stream with a peer that is visible to all users."""
        self._stream = await peer.methods.stream(CONNECT_STREAM, self._accept_subscriber)
        self._stream.subscribed.connect(self._on_subscribed)
        self._stream.unsubscribed.connect(self._on_unsubscribed)
        await peer.methods.register(SEND_METHOD, self._on_send, reads_text=True)
        self._profiles.changed.connect(self._on_changed)
        self._spawn(self._tick())

    async def stop(self) -> None:
        """Stop; links receive nothing more."""
        for task in [*self._tasks, *self._opening.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._opening.values(), return_exceptions=True)
        for user in list(self._users):
            await self._remove(user)

    async def agent_of(self, user: str) -> UserAgent:
        """Return the agent of a user, and start it if necessary; raise ProfileUnavailable if that fails."""
        return (await self._running(user)).agent

    @property
    def users(self) -> list[str]:
        """List the users with a running agent."""
        return list(self._users)

    def now(self) -> float:
        """Return seconds since 1970 that never decrease."""
        return self._began + self._clock.monotonic()

    def _accept_subscriber(self, subscriber: Subscriber) -> None:
        user = self._user_of(subscriber.peer)
        if sum(one == user for _, one in self._links.values()) >= _MOST_LINKS:
            raise CallFailed(None, f"The user has {_MOST_LINKS} connections to the FDC3 agent. Close some of them")
        self._accept(subscriber.peer)

    def _on_subscribed(self, subscriber: Subscriber) -> None:
        assert self._stream is not None  # noqa: S101 - subscribers come from it
        accepted = self._accept(subscriber.peer)
        user = self._user_of(subscriber.peer)
        program = accepted if isinstance(accepted, ProgramPeer) else None
        link = GatewayLink(self._stream, subscriber, program, self._gateway.costs_of(user), self._spawn)
        self._links[link.id] = (link, user)
        self._subscriptions[subscriber.id] = link
        self._spawn(self._attach(link, user))

    async def _attach(self, link: GatewayLink, user: str) -> None:
        try:
            running = await self._running(user)
        except ProfileUnavailable as error:
            link.send({"kind": "unavailable", "reason": str(error)})
            return
        if link.id in self._links:
            running.used = self.now()
            running.agent.attach(link, takes_lists=link.takes_lists)

    def _on_unsubscribed(self, subscriber: Subscriber) -> None:
        link = self._subscriptions.pop(subscriber.id, None)
        if link is None:
            return
        _, user = self._links.pop(link.id)
        link.close()
        running = self._users.get(user)
        if running is None:
            return
        running.used = self.now()
        if running.work.is_idle:
            running.agent.detach(link)
        else:
            self._spawn(self._detach(running, link))

    async def _detach(self, running: _Running, link: GatewayLink) -> None:
        """Remove a link after the messages that it sent before."""
        async with running.work.turn(0):
            running.agent.detach(link)

    async def _on_send(self, invocation: Invocation) -> None:
        try:
            began = time.perf_counter()
            call = SendCall.of(invocation)
            link, user = self._links.get(call.link, (None, ""))
            running = self._users.get(user)
            if link is None or running is None or link.peer != invocation.caller:
                raise CallFailed(None, f"There is no such link. Subscribe to {CONNECT_STREAM} first")
            if call.count > MOST_MESSAGES:
                raise CallFailed(None, f"At most {MOST_MESSAGES} messages can be sent at once")
            async with running.work.turn(call.size):
                await running.work.pause(call.size, began)
                # All are checked before one is processed.
                async for message in call.read(running.work):
                    _checked(message, link.program)
                async for message in call.read(running.work):
                    running.agent.handle_one(link, _checked(message, link.program))
                running.agent.report(link)
        except (msgspec.DecodeError, RecursionError) as error:
            raise CallFailed(None, f"The arguments of {SEND_METHOD} are invalid: {error}") from None

    async def _running(self, user: str) -> _Running:
        running = self._users.get(user)
        if running is not None:
            return running
        opening = self._opening.get(user)
        if opening is None:
            opening = self._opening[user] = asyncio.get_running_loop().create_task(self._open(user))
            opening.add_done_callback(lambda _: self._opening.pop(user, None))
        return await asyncio.shield(opening)

    async def _open(self, user: str) -> _Running:
        profile = await self._profiles.read(user)
        agent = UserAgent(user, profile, self.now, self._version)
        peer = await self._gateway.local_peer("Rostrum.FDC3", user, instance=f"fdc3-{new_id()}")
        channels = ChannelBridge(agent, peer, self._gateway.identity_of)
        intents = IntentBridge(agent, peer, self._gateway, self._is_platform)
        work = UserWork(self._gateway.costs_of(user))
        running = self._users[user] = _Running(agent, channels, intents, peer, self.now(), work)
        await channels.open()
        await intents.open()
        return running

    async def _remove(self, user: str) -> None:
        running = self._users.pop(user, None)
        if running is not None:
            await running.intents.close()
            await running.peer.close()

    def _on_changed(self, user: str) -> None:
        if user in self._users:
            self._spawn(self._reload(user))

    async def _reload(self, user: str) -> None:
        try:
            profile = await self._profiles.read(user)
        except ProfileUnavailable as error:
            _log.warning("the apps and channels of %s are not updated: %s", user_of_owner(user)[0], error)
            return
        running = self._users.get(user)
        if running is not None:
            running.agent.replace_profile(profile)
            await running.channels.open()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            for user, running in list(self._users.items()):
                while running.agent.expire():  # noqa: ASYNC110 - others have their turn between the steps
                    await asyncio.sleep(0)
                if not running.agent.is_idle:
                    running.used = self.now()
                elif self.now() - running.used > _IDLE_SECONDS:
                    await self._remove(user)

    def _is_platform(self, peer: str) -> bool:
        try:
            return isinstance(self._accept(peer), PlatformPeer)
        except CallFailed:
            return False

    def _user_of(self, peer: str) -> str:
        user = self._gateway.user_of(peer)
        if user is None:
            raise CallFailed(None, "The peer is no longer connected")
        return user

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a task of the FDC3 agents failed", exc_info=task.exception())


def _checked(message: FromPlatform, program: ProgramPeer | None) -> FromPlatform:
    return message if program is None else _as_program(message, program)


def _as_program(message: FromPlatform, program: ProgramPeer) -> FromPlatform:
    """Replace the identity that a program states with its known identity; it may only connect, send and disconnect."""
    if isinstance(message, Connect):
        return Connect(
            connection=message.connection,
            place=program.instance_id,
            app_id=program.app_id,
            instance_id=program.instance_id,
        )
    if not isinstance(message, (AppMessage, Disconnect)):
        raise CallFailed(None, f"Apps cannot send {type(message).__name__}")
    return message
