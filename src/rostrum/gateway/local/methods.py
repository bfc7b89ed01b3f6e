"""Methods and streams of a local peer: registering them, and using those of others."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec import Raw

from rostrum.base.errors import Invalid
from rostrum.base.json_text import decoder
from rostrum.base.signal import Signal
from rostrum.gateway.errors import CallFailed
from rostrum.gateway.local.connection import PeerConnection
from rostrum.gateway.local.source import Frame, read_text

_log = logging.getLogger("rostrum.gateway")

_CLIENT_ERROR = "agm.errors.client_error"
_END: Any = object()
MOST_UNREAD = 100_000


class _MethodHead(msgspec.Struct):
    """The members of a definition that are always needed."""

    id: str | int | float
    name: str


_heads = decoder(_MethodHead)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of a method of this peer.

    Attributes:
        text: Large arguments, for methods that read them as text; ``arguments`` is then empty.
    """

    caller: str
    arguments: dict[str, Any]
    context: Any = None
    text: Raw | None = None


@dataclass(frozen=True, slots=True)
class RemoteMethod:
    """A method of a peer."""

    server: str
    id: str | int | float
    name: str
    text: bytes = field(compare=False, hash=False, repr=False)

    @property
    def definition(self) -> dict[str, Any]:
        """Return the complete definition, which is stored as text: parsed, it can need much more memory."""
        definition: dict[str, Any] = read_text(self.text)
        return definition


Handler = Callable[[Invocation], Awaitable[Any] | Any]


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A subscription to a stream of this peer.

    Attributes:
        id: The id of the subscription.
        peer: The id of the peer that subscribes. A peer may subscribe several times.
        branch: The branch of the stream that the subscription is on; empty for the one without a name.
    """

    id: str
    peer: str
    arguments: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    branch: str = field(default="", compare=False)


Accept = Callable[[Subscriber], str | None]
"""Accepts a subscription and returns its branch, if the stream has branches. Raises CallFailed to reject the
subscription.
"""


class LocalStream:
    """A stream of this peer. All subscriptions are accepted unless ``accept`` rejects them.

    Listeners of ``subscribed`` may send a snapshot to the new subscriber: it arrives before later events. Subscriptions
    are handled only after the caller of ``LocalMethods.stream`` could add listeners.

    Attributes:
        subscribers: The accepted subscriptions by their ids.
        subscribed: Emitted with each accepted subscription.
        unsubscribed: Emitted with each ended subscription.
    """

    def __init__(self, peer: PeerConnection, method_id: str, accept: Accept) -> None:
        """Created by ``LocalMethods.stream``."""
        self._peer = peer
        self._id = method_id
        self.accept = accept
        self.subscribers: dict[str, Subscriber] = {}
        self.subscribed: Signal[Subscriber] = Signal()
        self.unsubscribed: Signal[Subscriber] = Signal()

    def push(self, data: Any, branch: str | None = None) -> None:
        """Send an event to all subscribers, or to those on one branch."""
        branches = {each.branch for each in self.subscribers.values()} if branch is None else (branch,)
        for each in branches:
            self._peer.send("publish", domain="agm", stream_id=self._branch_id(each), data=data)

    def send(self, subscriber: Subscriber, data: Any) -> None:
        """Send an event to one subscriber, if the subscription has not ended."""
        self._peer.send("post", domain="agm", subscription_id=subscriber.id, data=data)

    def add(self, subscriber: Subscriber) -> None:
        """Add an accepted subscription."""
        self.subscribers[subscriber.id] = subscriber
        stream_id = self._branch_id(subscriber.branch)
        self._peer.send("accepted", domain="agm", subscription_id=subscriber.id, stream_id=stream_id)
        self.subscribed.emit(subscriber)

    def remove(self, subscription_id: str) -> None:
        """Remove an ended subscription."""
        subscriber = self.subscribers.pop(subscription_id, None)
        if subscriber is not None:
            self.unsubscribed.emit(subscriber)

    def _branch_id(self, branch: str) -> str:
        return f"{self._id}/{branch}" if branch else self._id


class LocalSubscription:
    """The events of a stream, as an iterator that ends with the stream."""

    def __init__(self, peer: PeerConnection, subscription_id: str) -> None:
        """Created by ``LocalMethods.subscribe``."""
        self._peer = peer
        self.id = subscription_id
        self.events: asyncio.Queue[Any] = asyncio.Queue()

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (event := await self.events.get()) is not _END:
            yield event

    async def close(self) -> None:
        with suppress(CallFailed):
            await self._peer.request("unsubscribe", domain="agm", subscription_id=self.id)
        self.events.put_nowait(_END)


class LocalMethods:
    """The methods that a local peer registers and calls.

    Attributes:
        added: Emitted with each method that became available to this peer, including its own.
        removed: Emitted with each method that was removed.
    """

    def __init__(self, peer: PeerConnection) -> None:
        self._peer = peer
        self._handlers: dict[str, Handler] = {}
        self._text_readers: set[str] = set()
        self._streams: dict[str, LocalStream] = {}
        self._subscriptions: dict[str, LocalSubscription] = {}
        self._known: dict[tuple[str, Any], RemoteMethod] = {}
        self.added: Signal[RemoteMethod] = Signal()
        self.removed: Signal[RemoteMethod] = Signal()
        self._running: set[asyncio.Task[None]] = set()
        self._count = 0
        for kind, listener in (
            ("invoke", self._on_invoke),
            ("add-interest", self._on_interest),
            ("remove-interest", self._on_lost_interest),
            ("methods-added", self._on_added),
            ("methods-removed", self._on_removed),
            ("event", self._on_event),
            ("subscription-cancelled", self._on_cancelled),
        ):
            peer.listen("agm", kind, listener)

    @property
    def known(self) -> list[RemoteMethod]:
        """List the methods that this peer may call, including its own."""
        return list(self._known.values())

    def knows(self, method: RemoteMethod) -> bool:
        """Return whether a method was not removed meanwhile."""
        return self._known.get((method.server, method.id)) is method

    def find(self, name: str) -> RemoteMethod | None:
        """Find a method by its name; the one that was registered first."""
        return next((method for method in self._known.values() if method.name == name), None)

    async def register(self, name: str, handler: Handler, *, reads_text: bool = False, **definition: Any) -> str:
        """Register a method; the result or exception of the handler is the response. Return the method's id.

        With ``reads_text``, large arguments are not decoded: the invocation has their text instead.
        """
        [method_id] = await self.register_all({name: handler}, reads_text=reads_text, **definition)
        return method_id

    async def register_all(
        self, handlers: Mapping[str, Handler], *, reads_text: bool = False, **definition: Any
    ) -> list[str]:
        """Register methods with the same definition in one message; return their ids."""
        ids = {name: self._new_id() for name in handlers}
        for name, handler in handlers.items():
            self._handlers[ids[name]] = handler
            if reads_text:
                self._text_readers.add(ids[name])
        flags = {"streaming": False, **definition.get("flags", {})}
        await self._offer(ids, {**definition, "flags": flags})
        return list(ids.values())

    async def stream(self, name: str, accept: Accept = lambda _: None, **definition: Any) -> LocalStream:
        """Register a stream; ``accept`` may reject a subscription, or select its branch by peer and arguments."""
        method_id = self._new_id()
        stream = self._streams[method_id] = LocalStream(self._peer, method_id, accept)
        await self._offer(
            {name: method_id}, {**definition, "flags": {"streaming": True, **definition.get("flags", {})}}
        )
        return stream

    async def unregister(self, *method_ids: str) -> None:
        """Remove methods or streams."""
        await self._peer.request("unregister", domain="agm", methods=method_ids)
        for method_id in method_ids:
            self._handlers.pop(method_id, None)
            self._streams.pop(method_id, None)

    async def call(
        self, method: str | RemoteMethod, arguments: Mapping[str, Any] | None = None, *, timeout_seconds: float = 30.0
    ) -> Any:
        """Call a method by its name, or one that was found; raise CallFailed if there is no result."""
        found = self._found(method)
        request = self._peer.request(
            "call", domain="agm", server_id=found.server, method_id=found.id, arguments_kv=arguments or {}
        )
        try:
            async with asyncio.timeout(timeout_seconds):
                return (await request).get("result")
        except TimeoutError:
            raise CallFailed(None, f"{found.name} did not answer within {timeout_seconds:g} seconds") from None

    async def subscribe(
        self, stream: str | RemoteMethod, arguments: Mapping[str, Any] | None = None
    ) -> LocalSubscription:
        """Subscribe to a stream by its name, or to one that was found."""
        found = self._found(stream)
        answer = await self._peer.request(
            "subscribe", domain="agm", server_id=found.server, method_id=found.id, arguments_kv=arguments or {}
        )
        return self._subscription(answer["subscription_id"])

    def _found(self, method: str | RemoteMethod) -> RemoteMethod:
        found = self.find(method) if isinstance(method, str) else method
        if found is None:
            raise CallFailed("agm.errors.invocation.failure", f"No peer offers {method}")
        return found

    def _new_id(self) -> str:
        self._count += 1
        return str(self._count)

    async def _offer(self, ids: Mapping[str, str], definition: dict[str, Any]) -> None:
        methods = [{"id": method_id, "name": name, **definition} for name, method_id in ids.items()]
        await self._peer.request("register", domain="agm", methods=methods)

    def _on_invoke(self, frame: Frame) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(frame))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, frame: Frame) -> None:
        try:
            invocation = self._invocation(frame)
            result = self._handlers[frame["method_id"]](invocation)
            if isinstance(result, Awaitable):
                result = await result
        except CallFailed as error:
            self._fail(frame, error.uri or _CLIENT_ERROR, str(error))
        except Exception as error:  # noqa: BLE001 - a handler may be anybody's
            _log.exception("a method of a local peer failed")
            self._fail(frame, _CLIENT_ERROR, str(error) or type(error).__name__)
        else:
            self._peer.send("yield", domain="agm", invocation_id=frame["invocation_id"], result=result)

    def _invocation(self, frame: Frame) -> Invocation:
        arguments: Any = frame.pop("arguments_kv", None) or {}
        text: Raw | None = None
        if isinstance(arguments, Raw):
            if frame["method_id"] in self._text_readers:
                arguments, text = {}, arguments
            else:
                try:
                    arguments = read_text(arguments)
                except (Invalid, RecursionError) as error:
                    raise CallFailed("agm.errors.invocation.failure", f"The arguments are refused: {error}") from None
        return Invocation(frame["caller_id"], arguments, frame.get("context"), text)

    def _fail(self, frame: Frame, uri: str, text: str) -> None:
        self._peer.send("error", domain="agm", request_id=frame["invocation_id"], reason_uri=uri, reason=text)

    def _on_interest(self, frame: Frame) -> None:
        subscriber = Subscriber(frame["subscription_id"], frame["caller_id"], frame.get("arguments_kv") or {})
        stream = self._streams.get(frame["method_id"])
        if stream is None:
            self._refuse(subscriber.id, CallFailed(None, "The method is not a stream."))
            return
        try:
            branch = stream.accept(subscriber) or ""
        except CallFailed as error:
            self._refuse(subscriber.id, error)
        except Exception as error:  # noqa: BLE001 - a service may be anybody's
            _log.exception("a stream of a local peer could not decide on a subscription")
            self._refuse(subscriber.id, CallFailed(None, str(error) or type(error).__name__))
        else:
            stream.add(replace(subscriber, branch=branch))

    def _refuse(self, subscription: str, error: CallFailed) -> None:
        reason = {"reason_uri": error.uri or _CLIENT_ERROR, "reason": str(error)}
        self._peer.send("error", domain="agm", request_id=subscription, **reason)

    def _on_lost_interest(self, frame: Frame) -> None:
        stream = self._streams.get(frame["method_id"])
        if stream is not None:
            stream.remove(frame["subscription_id"])

    def _on_added(self, frame: Frame) -> None:
        for method in frame["methods"]:
            # The definition stays text, which a peer in this process gets from the gateway.
            text = bytes(method) if isinstance(method, Raw) else msgspec.json.encode(method)
            head = _heads.decode(text)
            remote = RemoteMethod(frame["server_id"], head.id, head.name, text)
            self._known[remote.server, remote.id] = remote
            self.added.emit(remote)

    def _on_removed(self, frame: Frame) -> None:
        for method_id in frame["methods"]:
            removed = self._known.pop((frame["server_id"], method_id), None)
            if removed is not None:
                self.removed.emit(removed)

    def _subscription(self, subscription_id: str) -> LocalSubscription:
        # Events may be handled before the subscriber continues.
        if subscription_id not in self._subscriptions:
            self._subscriptions[subscription_id] = LocalSubscription(self._peer, subscription_id)
        return self._subscriptions[subscription_id]

    def _on_event(self, frame: Frame) -> None:
        subscription = self._subscription(frame["subscription_id"])
        if subscription.events.qsize() < MOST_UNREAD:
            subscription.events.put_nowait(frame["data"])
        elif subscription.events.qsize() == MOST_UNREAD:
            _log.warning("a subscription of a local peer has ended: its %d events were not read", MOST_UNREAD)
            subscription.events.put_nowait(_END)

    def _on_cancelled(self, frame: Frame) -> None:
        found = self._subscriptions.pop(frame["subscription_id"], None)
        if found is not None:
            found.events.put_nowait(_END)
