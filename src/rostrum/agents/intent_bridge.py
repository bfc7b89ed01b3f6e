"""Connects FDC3 intents with the intents of client libraries without FDC3.

In those libraries an intent handler is a method ``Tick42.FDC3.Intents.<intent>``, called with the context. The bridge
adds such a handler to the agent as a running instance, and registers such a method for each FDC3 handler, so that each
side finds and calls the other. It sends messages to the agent on behalf of these apps, in the format that all apps use.
``intent_forms.py`` converts contexts and results.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from itertools import islice
from typing import Any, Protocol

import msgspec

from rostrum.agents.intent_forms import both_forms, client_result, fdc3_form, intent_result
from rostrum.agents.link_messages import AppMessage, Connect, Disconnect
from rostrum.agents.user_agent import UserAgent
from rostrum.agents.user_work import Turns, pause
from rostrum.base.ids import new_id
from rostrum.base.json_text import decoder
from rostrum.fdc3.host import IntentListenersChanged
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.costs import Costs
from rostrum.gateway.errors import GatewayError, NotConnected
from rostrum.gateway.local.methods import Invocation, RemoteMethod

_log = logging.getLogger("rostrum.agents")

INTENT_METHOD = "Tick42.FDC3.Intents."
RAISE_METHOD = "Rostrum.FDC3.RaiseIntent"
"""Method with which a platform raises an intent on behalf of an app without FDC3; the agent selects the handler."""
_RESULT_SECONDS = 60.0
_TIMESTAMP = "1970-01-01T00:00:00.000Z"
"""The timestamp of messages from the bridge; the agent requires one but does not use it."""
_Message = dict[str, Any]
_payloads = decoder(_Message)
_MOST_AT_ONCE = 100
"""Intents that are registered in one message."""


class Peers(Protocol):
    """The functions of the gateway that the bridge uses."""

    def identity_of(self, peer_id: str) -> Any:
        """Return the identity of a connected peer."""
        ...

    def user_of(self, peer_id: str) -> str | None:
        """Return the user of a connected peer."""
        ...

    def costs_of(self, user: str) -> Costs:
        """Return what the work for a user costs."""
        ...

    async def local_peer(self, application: str, user: str, *, observes: bool = True, **identity: Any) -> LocalPeer:
        """Add a peer in this process."""
        ...


class IntentBridge:
    """Represents apps without FDC3 at the agent of one user, and apps with FDC3 on the gateway."""

    is_platform = False
    is_external = False
    can_deliver = False

    def __init__(self, agent: UserAgent, peer: LocalPeer, gateway: Peers, is_platform: Callable[[str], bool]) -> None:
        """Connect the agent and the gateway.

        Args:
            agent: The agent of a user.
            peer: A peer of the same user, which sees the methods of others.
            gateway: The gateway.
            is_platform: Returns whether a peer is a platform, which is trusted to state the identity of apps.
        """
        self.id = f"intents-{new_id()}"
        self._agent = agent
        self._peer = peer
        self._gateway = gateway
        self._is_platform = is_platform
        self._represented: dict[str, _Represented] = {}
        self._instances: Counter[str] = Counter()
        self._offered: dict[str, _Offered] = {}
        self._own_peers: set[str] = set()
        # Methods that are not represented yet. All at once would take long.
        self._found: deque[tuple[RemoteMethod, str, str]] = deque()
        self._costs = gateway.costs_of(agent.user)
        self._turns = Turns(self._costs)
        self._offering = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Represent the existing handlers, and those that are added later."""
        self._agent.attach(self)
        self._agent.listeners_changed.connect(self._on_listeners_changed)
        self._peer.methods.added.connect(self._on_method_added)
        self._peer.methods.removed.connect(self._on_method_removed)
        for method in self._peer.methods.known:
            self._on_method_added(method)
        await self._peer.methods.register(RAISE_METHOD, self._on_raise)

    async def close(self) -> None:
        """Remove all handlers and methods."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._agent.detach(self)
        for offered in self._offered.values():
            if offered.peer is not None:
                await offered.peer.close()
        self._offered.clear()

    def send(self, event: dict[str, Any]) -> None:
        """Process an event of the agent for a represented app."""
        represented = self._represented.get(event.get("connection", ""))
        if represented is None:
            return
        if event["kind"] == "close":
            self._forget(represented)
        elif event["kind"] == "message":
            self._on_message(represented, _payloads.decode(event["payload"]))

    def _on_message(self, represented: "_Represented", message: _Message) -> None:
        if message["type"] == "intentEvent":
            self._spawn(self._handle(represented, message["payload"], message["meta"]["eventUuid"]))
            return
        waiting = represented.waiting.pop((message["type"], message["meta"].get("requestUuid", "")), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message["payload"])

    async def _handle(self, represented: "_Represented", payload: _Message, event_uuid: str) -> None:
        """Call the method of a handler without FDC3, and return its result as the result of the intent."""
        method = represented.methods.get(payload["intent"])
        result: _Message = {}
        if method is not None:
            try:
                answer = await self._peer.methods.call(
                    method, both_forms(payload["context"]), timeout_seconds=_RESULT_SECONDS
                )
            except GatewayError as error:
                _log.info("the handler of %s failed: %s", payload["intent"], error)
            else:
                result = intent_result(answer)
        asked = {"intentEventUuid": event_uuid, "raiseIntentRequestUuid": payload["raiseIntentRequestUuid"]}
        async with self._turns.turn():
            self._tell(represented, "intentResultRequest", {**asked, "intentResult": result})

    def _on_method_added(self, method: RemoteMethod) -> None:
        if not method.name.startswith(INTENT_METHOD) or method.server in self._own_peers:
            return
        identity = self._gateway.identity_of(method.server)
        app, instance = identity.get("application"), identity.get("instance")
        if identity.get("external") or not isinstance(app, str) or not isinstance(instance, str):
            return
        self._found.append((method, app, instance))
        if len(self._found) == 1:
            self._spawn(self._represent_found())

    async def _represent_found(self) -> None:
        """Represent the handlers that were found, one after the other."""
        while self._found:
            async with self._turns.turn():
                method, app, instance = self._found[0]
                try:
                    if self._peer.methods.knows(method):
                        self._represent_handler(method, app, instance)
                except Exception:  # noqa: BLE001 - the others must be represented
                    _log.exception("%s of %s could not be represented", method.name, app)
                self._found.popleft()

    def _represent_handler(self, method: RemoteMethod, app: str, instance: str) -> None:
        represented = self._represent(method.server, app, instance)
        if represented is None:
            _log.debug("%s of %s is not represented: the app is not in the directory", method.name, app)
            return
        intent = method.name.removeprefix(INTENT_METHOD)
        represented.methods[intent] = method

        def added(answer: "asyncio.Future[_Message]") -> None:
            if not answer.cancelled():
                represented.listeners[intent] = str(answer.result().get("listenerUUID", ""))

        uuid = new_id()
        represented.expect("addIntentListenerResponse", uuid).add_done_callback(added)
        self._tell(represented, "addIntentListenerRequest", {"intent": intent}, uuid)

    def _on_method_removed(self, method: RemoteMethod) -> None:
        represented = self._represented.get(method.server)
        intent = method.name.removeprefix(INTENT_METHOD)
        if represented is None:
            return
        # An app that only raises intents has other methods, and is removed with them.
        has_left = not self._gateway.identity_of(method.server)
        is_handler = represented.methods.get(intent) == method
        if is_handler:
            del represented.methods[intent]
        listener = represented.listeners.pop(intent, None) if is_handler else None
        if has_left or (is_handler and not represented.methods):
            self._agent.handle(self, [Disconnect(connection=represented.id)])
            self._forget(represented)
        elif listener:
            self._tell(represented, "intentListenerUnsubscribeRequest", {"listenerUUID": listener})

    def _on_listeners_changed(self, changed: IntentListenersChanged) -> None:
        if changed.instance_id in self._instances:
            return
        offered = self._offered.get(changed.instance_id)
        if offered is None and changed.added:
            offered = self._offered[changed.instance_id] = _Offered(changed.app_id, changed.instance_id)
        if offered is not None:
            offered.change(changed)
            if not offered.is_updating:
                offered.is_updating = True
                self._spawn(self._offer(offered))

    async def _offer(self, offered: "_Offered") -> None:
        """Register a method for each intent that an instance handles with FDC3, on behalf of this instance."""
        try:
            # Instances have their turns one after the other.
            async with self._offering:
                await pause(self._costs)
                await self._register(offered)
        except (GatewayError, NotConnected) as error:
            self._offered.pop(offered.instance_id, None)
            _log.info("the intents of %s are not offered on the gateway: %s", offered.app_id, error)
        finally:
            offered.is_updating = False

    async def _register(self, offered: "_Offered") -> None:
        if offered.peer is None:
            offered.peer = await self._gateway.local_peer(
                offered.app_id, self._agent.user, instance=offered.instance_id, observes=False
            )
            self._own_peers.add(offered.peer.id)
        while offered.wanted.keys() != offered.methods.keys():
            if gone := offered.without_listener():
                await offered.peer.methods.unregister(*(offered.methods.pop(intent) for intent in gone))
            elif new := offered.without_method():
                handlers = {INTENT_METHOD + intent: self._raiser(offered, intent) for intent in new}
                ids = await offered.peer.methods.register_all(handlers, flags={"metadata": {"intent": {}}})
                offered.methods.update(zip(new, ids, strict=True))
            await pause(self._costs)
        if not offered.wanted:
            self._offered.pop(offered.instance_id, None)
            self._own_peers.discard(offered.peer.id)
            await offered.peer.close()

    def _raiser(self, offered: "_Offered", intent: str) -> Any:
        async def raise_intent(invocation: Invocation) -> Any:
            target = {"appId": offered.app_id, "instanceId": offered.instance_id}
            context = fdc3_form(invocation.arguments)
            payload = {"intent": intent, "context": context, "app": target}
            _, result = await self._raise(invocation.caller, payload)
            return result

        return raise_intent

    async def _on_raise(self, invocation: Invocation) -> Any:
        """Raise an intent on behalf of a platform's app."""
        try:
            asked = msgspec.convert(invocation.arguments, _Raise)
        except (msgspec.ValidationError, RecursionError) as error:
            raise CallFailed(None, f"The arguments of {RAISE_METHOD} are invalid: {error}") from None
        if not self._is_platform(invocation.caller):
            raise CallFailed(None, f"Only platforms can call {RAISE_METHOD}")
        if self._gateway.user_of(asked.source) != self._agent.user:
            raise CallFailed(None, f"{RAISE_METHOD}: the app is not connected")
        payload: _Message = {"intent": asked.intent, "context": fdc3_form(asked.context)}
        if asked.app_id is not None:
            target = {"appId": asked.app_id, "instanceId": asked.instance_id}
            payload["app"] = {key: value for key, value in target.items() if value is not None}
        resolution, result = await self._raise(asked.source, payload)
        handler = resolution.get("source") or {}
        return {"appId": handler.get("appId"), "instanceId": handler.get("instanceId"), "result": result}

    async def _raise(self, peer: str, payload: _Message) -> tuple[_Message, Any]:
        """Raise an intent on behalf of the app of a peer; return the handler and the result."""
        async with self._turns.turn():
            identity = self._gateway.identity_of(peer)
            app, instance = str(identity.get("application")), str(identity.get("instance"))
            represented = self._represent(peer, app, instance)
            if represented is None:
                raise CallFailed(None, f"The app {app} is not in the app directory, so it cannot raise intents of FDC3")
            uuid = new_id()
            result = represented.expect("raiseIntentResultResponse", uuid)
            accepted = represented.expect("raiseIntentResponse", uuid)
            self._tell(represented, "raiseIntentRequest", payload, uuid)
        async with asyncio.timeout(_RESULT_SECONDS):
            answer = await accepted
        if "error" in answer:
            represented.waiting.pop(("raiseIntentResultResponse", uuid), None)
            raise CallFailed(None, str(answer["error"]))
        try:
            async with asyncio.timeout(_RESULT_SECONDS):
                outcome = await result
        except TimeoutError:
            represented.waiting.pop(("raiseIntentResultResponse", uuid), None)
            raise CallFailed(None, f"The handler of {payload['intent']} has returned no result in time") from None
        if "error" in outcome:
            raise CallFailed(None, str(outcome["error"]))
        return answer.get("intentResolution") or {}, client_result(outcome.get("intentResult") or {})

    def _represent(self, peer: str, app: str, instance: str) -> "_Represented | None":
        """Connect an app without FDC3 to the agent; return None if the agent rejects it."""
        found = self._represented.get(peer)
        if found is not None:
            return found
        represented = self._represented[peer] = _Represented(peer, instance)
        self._instances[instance] += 1
        self._agent.handle(
            self, [Connect(connection=peer, place=f"gateway:{instance}", app_id=app, instance_id=instance)]
        )
        meta = {"connectionAttemptUuid": peer, "timestamp": _TIMESTAMP}
        message = {"type": "WCP4ValidateAppIdentity", "payload": {"identityUrl": "", "actualUrl": ""}, "meta": meta}
        accepted = represented.expect("WCP5ValidateAppIdentityResponse", "")
        self._agent.handle(self, [AppMessage(connection=peer, message=msgspec.json.encode(message).decode())])
        # The agent replies synchronously.
        if not accepted.done():
            self._agent.handle(self, [Disconnect(connection=peer)])
            self._forget(represented)
            return None
        return represented

    def _forget(self, represented: "_Represented") -> None:
        if self._represented.pop(represented.id, None) is None:
            return
        self._instances[represented.instance] -= 1
        if not self._instances[represented.instance]:
            del self._instances[represented.instance]

    def _tell(self, represented: "_Represented", type_: str, payload: _Message, uuid: str = "") -> None:
        message = {
            "type": type_,
            "payload": payload,
            "meta": {"requestUuid": uuid or new_id(), "timestamp": _TIMESTAMP},
        }
        text = msgspec.json.encode(message).decode()
        self._agent.handle(self, [AppMessage(connection=represented.id, message=text)])

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("an intent could not be passed on", exc_info=task.exception())


class _Raise(msgspec.Struct, rename="camel"):
    """The arguments of the method with which platforms raise intents."""

    intent: str
    source: str
    context: dict[str, Any] = {}
    app_id: str | None = None
    instance_id: str | None = None


class _Represented:
    """An app without FDC3 that is connected to the agent."""

    def __init__(self, peer: str, instance: str) -> None:
        self.id = peer
        self.instance = instance
        self.methods: dict[str, RemoteMethod] = {}
        self.listeners: dict[str, str] = {}
        self.waiting: dict[tuple[str, str], asyncio.Future[_Message]] = {}

    def expect(self, type_: str, uuid: str) -> "asyncio.Future[_Message]":
        """Wait for a message from the agent."""
        waiting: asyncio.Future[_Message] = asyncio.get_running_loop().create_future()
        self.waiting[type_, uuid] = waiting
        return waiting


class _Offered:
    """An instance with FDC3 whose intents are registered on the gateway."""

    def __init__(self, app_id: str, instance_id: str) -> None:
        self.app_id = app_id
        self.instance_id = instance_id
        self.peer: LocalPeer | None = None
        self.wanted: dict[str, None] = {}
        self.methods: dict[str, str] = {}
        self.is_updating = False

    def change(self, changed: IntentListenersChanged) -> None:
        """Add and remove intents that the instance handles."""
        for intent in changed.removed:
            self.wanted.pop(intent, None)
        self.wanted.update(dict.fromkeys(changed.added))

    def without_method(self) -> list[str]:
        """List intents that have no method yet: as many as are registered at once."""
        return list(islice((one for one in self.wanted if one not in self.methods), _MOST_AT_ONCE))

    def without_listener(self) -> list[str]:
        """List intents that have a method, but are no longer handled: as many as are removed at once."""
        return list(islice((one for one in self.methods if one not in self.wanted), _MOST_AT_ONCE))
