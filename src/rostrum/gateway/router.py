"""The message router, without sockets, clock or log: each frame results in frames."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from rostrum.base.errors import Invalid, TooLarge
from rostrum.base.json_text import count_elements, refuse_many_elements
from rostrum.gateway import relayed, wire
from rostrum.gateway.absences import Absences
from rostrum.gateway.costs import FRAME, SMALL, Costs
from rostrum.gateway.domains.activity.activities import Activities
from rostrum.gateway.domains.activity.domain import activity_domain
from rostrum.gateway.domains.agm.calls import invoke_as
from rostrum.gateway.domains.agm.domain import AGM
from rostrum.gateway.domains.bus.domain import BUS
from rostrum.gateway.domains.bus.topics import Topics
from rostrum.gateway.domains.context.contexts import Contexts
from rostrum.gateway.domains.context.domain import CONTEXT
from rostrum.gateway.domains.domain import Domain, Handler, TokenSigner
from rostrum.gateway.domains.global_domain import global_domain
from rostrum.gateway.domains.metrics import METRICS
from rostrum.gateway.logins import Admitted, Challenged, Verdict, admit, challenge, introduce
from rostrum.gateway.long_work import LongWork, Work
from rostrum.gateway.messages.agm import Invoke
from rostrum.gateway.messages.global_domain import Error, Hello
from rostrum.gateway.messages.record import NULL, Incoming, MethodId, Outgoing
from rostrum.gateway.options import Limits
from rostrum.gateway.pace import Pace, Steps
from rostrum.gateway.peer import LONGEST_IDENTITY, Peer, ProgramSource, Receiver, Source, Stranger
from rostrum.gateway.reasons import Reason, Refused
from rostrum.gateway.state import Encoded, State
from rostrum.gateway.usage import Usage

_LARGE = 65_536
_LONGEST_HELLO = 2 * LONGEST_IDENTITY
_MOST_QUOTES = 40_000
"""Quotation marks of a message whose elements are counted exactly, which takes a microsecond for each text."""
MOST_ELEMENTS = 100_000
"""Elements of a large message that the gateway parses: each takes much more time and memory than its text."""


class _Route(NamedTuple):
    read: Callable[[bytes], Any]
    handler: Handler


class Observer(Protocol):
    """Observes messages without changing them."""

    def on_received(self, peer: Peer | None, header: wire.Header, payload: bytes) -> None:
        """Record a received message, with its sender if known."""
        ...

    def on_sent(self, message: Outgoing, tail: bytes | memoryview, receivers: int) -> None:
        """Record a sent message and the number of receivers."""
        ...


class Router:
    """Processes frames of sources, and delivers the resulting frames.

    Attributes:
        state: The state, for inspection.
        work: The work that takes several turns of the event loop.
    """

    def __init__(
        self,
        node: str,
        authenticate: Callable[[Source, Hello], None],
        tokens: TokenSigner,
        observer: Observer | None = None,
        *,
        case_sensitive_users: bool = False,
        limits: Limits | None = None,
        now: Callable[[], float] | None = None,
        on_unfinished: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare a router.

        Args:
            node: The name of the gateway, which is a part of all ids.
            authenticate: Checks a sign-in, and then calls ``decide``.
            tokens: Signs tokens.
            observer: Observes all messages.
            case_sensitive_users: Whether Ada and ada are two users.
            limits: The limits of each user.
            now: A precise clock; without one, long work is done at once.
            on_unfinished: Called with an owner whose work takes long: ``work.advance`` continues it, and messages of
                this owner must wait until it has ended.
        """
        self._observer = observer
        limits = limits or Limits()
        usage = Usage(limits.stored_bytes, has_shares=limits.has_shares)
        self.state = State(
            node,
            contexts=Contexts(usage),
            topics=Topics(),
            activities=Activities(usage),
            usage=usage,
            absences=Absences(limits.stored_seconds),
            pace=Pace(now),
        )
        self._pace = self.state.pace
        self._peers = self.state.peers
        self._authenticate = authenticate
        self.work = LongWork(self._pace, self._deliver, self._refuse_request, on_unfinished)
        self._case_sensitive = case_sensitive_users
        # Arrivals and departures are reported in this order.
        joinable = (AGM, activity_domain(tokens), BUS, CONTEXT, METRICS)
        self._domains = (*joinable, global_domain({domain.name: domain for domain in joinable}, tokens))
        self._names = {domain.name for domain in self._domains}
        self._routes = _routes(self._domains)
        self._hello = _reader(Hello)

    def receive(self, source: Source, payload: bytes, opened: wire.Opened | None = None) -> wire.Header:
        """Process one frame, whose header may have been read before; return the header."""
        peer: Peer | None = None
        self._pace.begin()
        try:
            header, payload = wire.header(payload) if opened is None else opened.header()
        except wire.NotJson as error:
            header = wire.Header()
            self._refuse(
                Stranger(source, None), header, Reason("global.errors.failure", f"The frame is no JSON object: {error}")
            )
        else:
            # Like _sender, without the time for a call.
            sender = header.peer_id
            peer = self._peers.get(sender) if type(sender) is str else None
            if peer is not None and peer.source is not source:
                peer = None
            self._carry_out(source, peer, header, payload)
        if self._observer is not None:
            self._observer.on_received(peer, header, payload)
        if opened is not None:
            self._hand_over(source.costs)
        self._deliver(source.costs)
        return header

    def decide(self, source: Source, hello: Hello, verdict: Verdict) -> Peer | None:
        """Admit or reject a peer after its credentials were checked."""
        if not source.is_open:
            return None
        peer: Peer | None = None
        refusal: Reason | None = None
        if isinstance(verdict, Admitted):
            try:
                peer = admit(self.state, source, hello, verdict, self._domains, case_sensitive=self._case_sensitive)
            except Refused as refused:
                refusal = refused.reason
            else:
                self._pace.begin()
                self.work.start(peer.user, Work(introduce(self.state, peer, self._domains)))
        elif isinstance(verdict, Challenged):
            challenge(self.state, source, hello, verdict)
        else:
            refusal = Reason("global.errors.authentication.failure", verdict.text)
        if refusal is not None:
            self._refuse(Stranger(source, None), wire.Header(request_id=hello.request_id), refusal)
        self._deliver()
        return peer

    def turn_away(self, source: Source, payload: bytes, reason: Reason) -> None:
        """Reject all messages of a source, reading only what the response needs."""
        self.state.out.items.clear()
        try:
            header, _ = wire.header(payload)
        except wire.NotJson:
            header = wire.Header()
        peer = self._sender(source, header)
        self._refuse(Stranger(source, None) if peer is None else peer, header, reason)
        self._deliver()

    def disconnect(self, source: Source) -> None:
        """Remove all peers of a source that has ended."""
        source.is_open = False
        by_owner: dict[str, list[Peer]] = {}
        for peer in source.peers.values():
            if not peer.is_gone:
                peer.is_gone = True
                self.state.release_identity(peer)
                by_owner.setdefault(peer.user, []).append(peer)
        self._pace.begin()
        for owner, peers in by_owner.items():
            self.work.start(owner, Work(self._remove(peers), source.costs))
        self._deliver()

    def _remove(self, peers: Sequence[Peer]) -> Steps:
        for peer in peers:
            for domain in self._domains:
                yield from domain.lost(self.state, peer) or ()
            self.state.remove_peer(peer)

    def expire(self, now: float) -> None:
        """End expired requests, at a time that never decreases."""
        for domain in self._domains:
            for owner, steps in domain.expire(self.state, now):
                self._pace.begin()
                self.work.start(owner, Work(steps))
        self._deliver()

    def _carry_out(self, source: Source, peer: Peer | None, header: wire.Header, payload: bytes) -> None:
        kind = header.type
        if kind == "ping":
            return
        domain = "global" if header.domain is None else header.domain
        if type(domain) is not str:
            reason = Reason("global.errors.failure", "The domain must be text")
            self._refuse(Stranger(source, None), header, reason)
            return
        if kind == "hello" and domain == "global":
            self._say_hello(source, header, payload)
            return
        if peer is None:
            self._refuse_stranger(source, header)
            return
        route = self._routes.get((domain, kind)) if type(kind) is str else None
        if route is None:
            self._refuse_unknown(peer, header, domain)
        elif source.is_relayed and (forbidden := relayed.refusal(source, domain, kind)) is not None:
            self._refuse(peer, header, forbidden)
        else:
            peer.received += 1
            self._handle(route, peer, header, payload)

    def _handle(self, route: _Route, peer: Peer, header: wire.Header, payload: bytes) -> None:
        try:
            steps = route.handler(self.state, peer, route.read(payload))
        except (Refused, ValueError, RecursionError, Invalid) as error:
            self._refuse_request(peer, header, error)
            return
        if steps is not None:
            self.work.start(peer.user, Work(steps, peer.source.costs, peer, header))

    def _refuse_request(self, peer: Peer, header: wire.Header, error: Exception) -> None:
        domain = "global" if header.domain is None else header.domain
        if isinstance(error, Refused):
            request = error.request_id or header.request_id
            self._refuse(peer, wire.Header(domain=error.domain or domain, request_id=request), error.reason)
        elif isinstance(error, (msgspec.DecodeError, RecursionError, Invalid)):
            self._refuse(peer, header, Reason(f"{domain}.errors.failure", f"The message is wrong: {error}"))
        else:
            raise error

    def _sender(self, source: Source, header: wire.Header) -> Peer | None:
        peer = self.state.peers.get(header.peer_id) if type(header.peer_id) is str else None
        return peer if peer is not None and peer.source is source else None

    def _say_hello(self, source: Source, header: wire.Header, payload: bytes) -> None:
        try:
            hello = self._read_hello(payload)
            relayed.begin(source, hello)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = Reason("global.errors.authentication.failure", f"The message is wrong: {error}")
            self._refuse(Stranger(source, None), header, reason)
            return
        except Refused as refused:
            self._refuse(Stranger(source, None), header, refused.reason)
            return
        self._authenticate(source, hello)

    def _read_hello(self, payload: bytes) -> Hello:
        if len(payload) > _LONGEST_HELLO:
            raise Refused("global.errors.failure", f"A sign-in may have {_LONGEST_HELLO} bytes at most")
        hello: Hello = self._hello(payload)
        return hello

    def _refuse_stranger(self, source: Source, header: wire.Header) -> None:
        claimed = header.peer_id if type(header.peer_id) is str else None
        domain = header.domain if header.domain in self._names else "global"
        uri = f"{domain}.errors.failure"
        if claimed is None:
            text = "Peer id is missing"
        elif claimed in self.state.peers:
            text = f"The original source of peer {claimed} doesnt match the current source"
            uri = "global.errors.failure"
        else:
            text = f"Unable to find peer with id {claimed}"
            uri = "global.errors.invalid_peer" if header.type in ("join", "leave") else uri
        self._refuse(Stranger(source, claimed), header, Reason(uri, text))

    def _refuse_unknown(self, peer: Peer, header: wire.Header, domain: str) -> None:
        if domain not in self._names:
            self._refuse(peer, header, Reason("global.errors.failure", f"There is no domain {domain}"))
            return
        reason = Reason(f"{domain}.errors.unhandled_message", f"There is no message of type {header.type}")
        self._refuse(peer, header, reason)

    def _refuse(self, receiver: Receiver, header: wire.Header, reason: Reason) -> None:
        request_id = header.request_id if isinstance(header.request_id, (str, int)) else None
        domain = header.domain if isinstance(header.domain, str) else "global"
        error = Error(domain=domain, request_id=request_id, reason_uri=reason.uri, reason=reason.text)
        self.state.out.items.clear()
        self.state.out.send(receiver, error)

    def _hand_over(self, costs: Costs | None) -> None:
        """Deliver large calls to programs of this process without copying their arguments."""
        others: list[tuple[Collection[Receiver], Outgoing | Encoded]] = []
        for receivers, item in self.state.out.items:
            message = item.message if isinstance(item, Encoded) else item
            programs = [(each.source, each.head) for each in receivers if isinstance(each.source, ProgramSource)]
            if not isinstance(message, Invoke) or len(programs) < len(receivers):
                others.append((receivers, item))
                continue
            arguments = message.arguments_kv
            tail = wire.encode(msgspec.structs.replace(message, arguments_kv=NULL))
            size = len(tail) + memoryview(arguments).nbytes
            if self._observer is not None:
                self._observer.on_sent(message, memoryview(arguments), len(receivers))
            if costs is not None:
                costs.sent(size, len(receivers))
            for program, head in programs:
                program.deliver_call(head, tail, arguments)
        self.state.out.items[:] = others

    def invoke_as(self, peer_id: str, server_id: str, method_id: MethodId, arguments: bytes) -> None:
        """Call a method for a connected peer that does not wait for the result; raise Refused if it may not."""
        peer = self._peers.get(peer_id)
        if peer is not None:
            self._pace.begin()
            invoke_as(self.state, peer, server_id, method_id, msgspec.Raw(arguments))
            self._deliver(peer.source.costs)

    def _deliver(self, costs: Costs | None = None) -> None:
        items = self.state.out.items
        observer = self._observer
        for receivers, item in items:
            if isinstance(item, Encoded):
                message: Outgoing = item.message
                tail = item.tail = item.tail or wire.encode(message)
            else:
                message = item
                tail = wire.encode(message)
            size, count = len(tail), len(receivers)
            if observer is not None:
                observer.on_sent(message, tail, count)
            if size > SMALL:
                if costs is not None:
                    costs.sent(size, count)
                for receiver in receivers:
                    receiver.source.deliver_large(receiver.head, tail)
                continue
            if costs is not None:
                costs.room -= (size + FRAME) * count
            for receiver in receivers:
                receiver.source.deliver(receiver.head, tail)
        items.clear()


def _reader(record: type[Incoming]) -> Callable[[bytes], Any]:
    decode = wire.body_decoder(record).decode
    if record.forwards:
        return decode

    def read(payload: bytes) -> Any:
        if len(payload) > _LARGE and count_elements(payload, MOST_ELEMENTS) > MOST_ELEMENTS:
            if payload.count(b'"') - payload.count(b'\\"') > _MOST_QUOTES:
                raise TooLarge(
                    f"the JSON has more than {MOST_ELEMENTS} elements and very many texts; send less at once"
                )
            refuse_many_elements(payload, MOST_ELEMENTS)
        return decode(payload)

    return read


def _routes(domains: Sequence[Domain]) -> dict[tuple[str, str], _Route]:
    routes: dict[tuple[str, str], _Route] = {}
    for domain in domains:
        for record, handler in domain.handlers.items():
            kind = str(record.__struct_config__.tag)
            routes[domain.name, kind] = _Route(_reader(record), handler)
    return routes
