"""The gateway: starts and stops router, sign-ins, listener, recorder and monitoring."""

import asyncio
import hmac
import logging
import time
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import msgspec

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.command_line import command
from rostrum.base.ids import new_id
from rostrum.gateway.authentication import AnyLocalUser, Authenticator, Provider, SecretCheck, Watcher
from rostrum.gateway.bindings import Bindings
from rostrum.gateway.costs import Costs, Slice, UserCosts
from rostrum.gateway.errors import CallFailed, GatewayError
from rostrum.gateway.local.methods import RemoteMethod
from rostrum.gateway.local.peer import LocalPeer
from rostrum.gateway.local.source import LocalSource
from rostrum.gateway.local.turns import LocalTurns
from rostrum.gateway.logins import Admitted, Rejected
from rostrum.gateway.messages.global_domain import Hello
from rostrum.gateway.options import GatewayOptions
from rostrum.gateway.peer import Binding, Source
from rostrum.gateway.reasons import Reason, Refused
from rostrum.gateway.recorder import Recorder
from rostrum.gateway.router import Router
from rostrum.gateway.server import WebSocketServer
from rostrum.gateway.sessions import Session, Sessions, user_of_owner
from rostrum.gateway.status import status
from rostrum.gateway.status_file import StatusFile
from rostrum.gateway.tokens import LONGEST_LIFE, Tokens
from rostrum.gateway.watch import LargeMessages, MemoryWatcher
from rostrum.gateway.wire import Opened

_log = logging.getLogger("rostrum.gateway")

_MOST_FAILED_LOGINS = 10
_LONG = 0.001
"""Seconds after which a message counts as work of its user, in addition to its bytes."""
_LONGEST_WORK_DELAY, _READING_DELAY = 0.1, 0.005
"""Seconds until long work continues at the latest, and until the clients of its user have perhaps read."""
_FAULT = Reason("global.errors.failure", "The gateway could not carry this out")
_WELCOME = b"this is the address of a gateway: connect to it with a WebSocket\n"


class Gateway:
    """A gateway: accepts clients on a socket, and peers in this process."""

    def __init__(
        self,
        options: GatewayOptions | None = None,
        secrets: SecretCheck | None = None,
        providers: Mapping[str, Provider] | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Prepare a gateway; without a check of user names and secrets, all sign-ins are accepted."""
        self.options = options or GatewayOptions()
        self._clock = clock or SystemClock()
        self._tokens = Tokens(self._clock, self.options.token_key)
        self._sessions = Sessions(LONGEST_LIFE.total_seconds())
        self._sessions.ended.connect(self._end_session)
        self._secrets = AnyLocalUser() if secrets is None else secrets
        self._bindings = Bindings(self._clock)
        self._authenticator = Authenticator(
            self._tokens,
            self._secrets,
            providers,
            self._sessions,
            self._bindings,
            unbound=self.options.unbound_identity,
            passwords=self.options.passwords,
        )
        self._recorder = Recorder(self.options.recorded, time.time, keep_payloads=self.options.record_payloads)
        self._router = Router(
            new_id(),
            self._authenticate,
            self._tokens,
            self._recorder,
            case_sensitive_users=self.options.case_sensitive_users,
            limits=self.options.limits,
            now=time.perf_counter,
            on_unfinished=self._begin_work,
        )
        self._router.state.reserved_methods = self.options.reserved_methods
        self._router.state.shared_methods = tuple(prefix.casefold() for prefix in self.options.shared_methods)
        self._costs = UserCosts(self._new_costs)
        self._local_turns = LocalTurns(self._costs.known)
        self._server = WebSocketServer(self, self.options, self._clock.monotonic, self._new_costs)
        self._large = LargeMessages(self.options.limits.large_message, self._clock.monotonic)
        self._memory = MemoryWatcher(self.options.memory, self._router.state, self._clock.now)
        self._status_file = None if self.options.status_folder is None else StatusFile(self.options.status_folder)
        self._tasks: set[asyncio.Task[None]] = set()
        self._logging_in: dict[Source, int] = {}
        self._local: dict[LocalSource, Binding] = {}
        self._began = self._clock.monotonic()

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def address(self) -> str:
        """Return the address for clients."""
        host = self.options.host
        return f"ws://{f'[{host}]' if ':' in host else host}:{self.port}"

    async def start(self) -> None:
        """Start to listen; raise CannotListen if that fails."""
        await self._server.start()
        self._spawn(self._memory.run())
        self._spawn(self._expire())
        if isinstance(self._secrets, Watcher):
            self._spawn(self._secrets.watch())
        if self._status_file is not None:
            try:
                self._status_file.write(self.address, self.port)
            except OSError as error:
                _log.warning("`%s` will not find this gateway: %s", command("gateway", "top"), error)

    async def stop(self) -> None:
        """Close all connections within a time limit, and stop."""
        for task in list(self._tasks):
            task.cancel()
        for source in list(self._local):
            source.close()
        await self._server.stop()
        if self._status_file is not None:
            self._status_file.remove()

    async def local_peer(
        self, application: str, user: str, *, is_service: bool = False, observes: bool = True, **identity: Any
    ) -> LocalPeer:
        """Add a peer of this process, which needs no socket and no sign-in; its identity is trusted.

        The user can be a result of ``user_of``; with a name only, the peer belongs to the account that signed in last.
        A peer that does not observe others only provides methods: it receives no announcements of peers and methods.
        """
        user, account = user_of_owner(user)
        account = account or self._newest_account(user)
        source = LocalSource(self, self._local_turns.add, observes=observes)
        hello = Hello(identity={"application": application, **identity})
        binding = self.bind(user, application, instance=identity.get("instance"), window=identity.get("windowId"))
        admitted = Admitted(user=user, account=account, is_service=is_service, binding=binding)
        peer = self._router.decide(source, hello, admitted)
        if peer is None:
            self._bindings.end(binding)
            raise GatewayError(f"a peer like {application} of {user} is here already")
        self._local[source] = binding
        local = LocalPeer(source, peer.id, peer.identity)
        await local.join("agm", "bus")
        return local

    def bind(self, user: str, application: str, *, instance: str | None = None, window: str | None = None) -> Binding:
        """Create a verified identity for a program that is about to connect; it lasts until it is ended."""
        return self._bindings.bind(user, application, instance=instance, window=window)

    def one_time_token(self, binding: Binding) -> str:
        """Create the token for that program: valid for a short time, and for one connection at a time."""
        return self._bindings.one_time_token(binding)

    def end(self, binding: Binding) -> None:
        """End a verified identity: its tokens become invalid, and connected peers lose it."""
        self._bindings.end(binding)

    def revoke(self, binding: Binding, reason: str) -> None:
        """End a verified identity, and disconnect every peer that signed in with it."""
        self._bindings.end(binding)
        held = [peer for peer in self._router.state.peers.values() if peer.binding == binding]
        for source in {peer.source for peer in held}:
            source.revoke(reason)
            self.disconnect(source)

    def binding_of(self, peer_id: str) -> Binding | None:
        """Return the verified identity of a connected peer, or None."""
        peer = self._router.state.peers.get(peer_id)
        binding = None if peer is None else peer.binding
        return binding if binding is not None and self._bindings.is_current(binding) else None

    def invoke_as(self, peer_id: str, method: RemoteMethod, arguments: Mapping[str, Any]) -> None:
        """Call a method in the name of a connected peer, without a result."""
        try:
            self._router.invoke_as(peer_id, method.server, method.id, msgspec.json.encode(arguments))
        except Refused as error:
            raise CallFailed(None, str(error)) from error

    def costs_of(self, user: str) -> Costs:
        """Return what the messages of a user cost, to which services add their work."""
        return self._costs.of(user)

    def user_of(self, peer_id: str) -> str | None:
        """Return the user that a connected peer belongs to, with the account: the owner."""
        peer = self._router.state.peers.get(peer_id)
        return None if peer is None else peer.user

    def identity_of(self, peer_id: str) -> Mapping[str, Any]:
        """Return the identity of a connected peer, as others see it; members from a binding are verified."""
        peer = self._router.state.peers.get(peer_id)
        return {} if peer is None else peer.identity

    def status(self) -> dict[str, Any]:
        """Return the current status of the gateway."""
        uptime = self._clock.monotonic() - self._began
        return status(self._router.state, self._recorder, address=self.address, uptime=uptime)

    def receive(self, source: Source, payload: bytes, opened: Opened | None = None) -> None:
        """Process one frame, whose header may have been read before."""
        began = time.perf_counter()
        try:
            header = self._router.receive(source, payload, opened)
        except Exception:  # noqa: BLE001 - the outermost place
            # An internal error must not end the connection of the sender, or of other clients.
            _log.exception("a message could not be carried out")
            self._router.turn_away(source, payload, _FAULT)
            return
        taken = time.perf_counter() - began
        if taken > _LONG and opened is None and source.costs is not None:
            source.costs.worked(taken)
        if len(payload) > self._large.threshold:
            peer = source.peers.get(header.peer_id) if isinstance(header.peer_id, str) else None
            name = f"{peer.identity.get('application')} ({peer.id})" if peer is not None else "an unknown client"
            self._large.warn(f"{name} at {source.machine}", (header.domain or "global", header.type), len(payload))

    def disconnect(self, source: Source) -> None:
        """Remove all peers of a source."""
        self._logging_in.pop(source, None)
        peers = [peer for peer in source.peers.values() if not peer.is_gone]
        for peer in peers:
            self._bindings.release(peer.id)
        if isinstance(source, LocalSource) and (binding := self._local.pop(source, None)) is not None:
            self._bindings.end(binding)
        sessions = [self._sessions.find(peer.session) for peer in peers]
        self._router.disconnect(source)
        for session in sessions:
            if session is not None:
                session.peer_left()

    def turn_away(self, source: Source, payload: bytes, text: str) -> None:
        """Reject a sign-in without checking its user."""
        self._router.turn_away(source, payload, Reason("global.errors.limits_exceeded", text))

    def answer(self, path: str, authorization: str) -> tuple[HTTPStatus, bytes]:
        """Answer a plain HTTP request: with the status if it has the token of the status file, or with a hint."""
        if path != "/status":
            return HTTPStatus.UPGRADE_REQUIRED, _WELCOME
        expected = None if self._status_file is None else f"Bearer {self._status_file.token}"
        if expected is None or not hmac.compare_digest(expected.encode(), authorization.encode("utf-8", "replace")):
            return HTTPStatus.UNAUTHORIZED, b"the token of the gateway's status file is needed\n"
        return HTTPStatus.OK, msgspec.json.encode(self.status())

    def _newest_account(self, user: str) -> str:
        accounts = [account for name, account in map(user_of_owner, self._router.state.users) if name == user]
        return accounts[-1] if accounts else ""

    def _authenticate(self, source: Source, hello: Hello) -> None:
        failed = self._logging_in.get(source, 0)
        if failed >= _MOST_FAILED_LOGINS:
            self._router.decide(source, hello, Rejected("Too many sign-ins failed on this connection. Connect again."))
            return
        self._logging_in[source] = failed + 1
        source.check_begins()
        self._spawn(self._evaluate(source, hello))

    async def _evaluate(self, source: Source, hello: Hello) -> None:
        try:
            conversation = f"{id(source)}/{hello.request_id}"
            verdict = await self._authenticator.evaluate(
                conversation, hello.authentication, source.machine, source.cookies
            )
        except Exception:  # noqa: BLE001 - a checker may be anybody's
            _log.exception("The credentials of a client could not be checked.")
            verdict = Rejected("The credentials could not be checked. Try again later.")
        if source.needs_binding and isinstance(verdict, Admitted) and verdict.binding is None:
            # Rejected even with the correct password: pages of foreign origins should not have passwords.
            verdict = Rejected("Pages of this origin sign in with a token of the app that they belong to")
        session = self._sessions.find(verdict.session) if isinstance(verdict, Admitted) else None
        if isinstance(verdict, Admitted) and verdict.session and session is None:
            verdict = Rejected("The account was revoked during the sign-in")
        elif isinstance(verdict, Admitted) and session is not None:
            verdict = replace(verdict, account=session.account)
        if not isinstance(verdict, Rejected):
            self._logging_in.pop(source, None)
        peer = self._router.decide(source, hello, verdict)
        if peer is not None and session is not None:
            session.peer_joined()
        if peer is not None:
            source.costs = self._costs.of(peer.user)
            source.costs.signed_in()
        source.check_ends(is_signed_in=peer is not None)
        if peer is not None and isinstance(verdict, Admitted) and verdict.one_time_token is not None:
            # Nothing else has run since the token was checked, so no other peer can have used it.
            self._bindings.take(verdict.one_time_token, peer.id)
        if peer is not None:
            _log.debug("%s of %s signed in from %s", peer.identity.get("application"), peer.name, source.machine)

    def _begin_work(self, owner: str) -> None:
        """Continue long work of an owner in later turns; the messages of this owner wait."""
        self._costs.of(owner).begin_work()
        self._continue_later(owner)

    def _continue_later(self, owner: str) -> None:
        costs = self._costs.of(owner)
        delay = min(_LONGEST_WORK_DELAY, costs.delay) or (_READING_DELAY if costs.is_behind else 0.0)
        loop = asyncio.get_running_loop()
        if delay:
            loop.call_later(delay, self._continue_work, owner)
        else:
            loop.call_soon(self._continue_work, owner)

    def _continue_work(self, owner: str) -> None:
        costs = self._costs.of(owner)
        # Clients must read what earlier steps have sent.
        if not costs.delay and not costs.is_behind:
            began = time.perf_counter()
            try:
                self._router.work.advance(owner)
            except Exception:  # noqa: BLE001 - the outermost place
                _log.exception("a part of a message could not be carried out")
            costs.worked(time.perf_counter() - began)
        if owner in self._router.work:
            self._continue_later(owner)
        else:
            costs.end_work()

    async def _expire(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self._router.expire(self._clock.monotonic())
            self._sessions.forget_idle(self._clock.monotonic())
            self._costs.forget_idle(lambda user: user in self._router.state.users)

    def _new_costs(self, size: Slice | None = None) -> Costs:
        limits = self.options.limits
        return Costs(limits.user_rate, limits.user_burst, limits.user_held, self._clock.monotonic, size)

    def _end_session(self, session: Session) -> None:
        """Disconnect all peers of a session that has ended."""
        peers = [peer for peer in self._router.state.peers.values() if peer.session == session.id]
        for source in {peer.source for peer in peers}:
            source.revoke("the account is disabled or its credentials have changed")
            self.disconnect(source)
        for owner in {peer.user for peer in peers}:
            # The account may have been deleted. If not, the user signs in again, and finds the contexts.
            self._router.state.revoke(owner)
        if peers:
            _log.info("disconnected %d peers of %s: the account's access has ended", len(peers), session.user)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
