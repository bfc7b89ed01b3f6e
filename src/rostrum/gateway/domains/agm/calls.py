"""Forwards calls to the callee and results to the caller."""

from collections.abc import Iterable

from msgspec import Raw

from rostrum.gateway.domains.agm.agm_peer import FREE_CALLS, AgmPeer, Invocation
from rostrum.gateway.domains.agm.members import check_arguments, find_method, member
from rostrum.gateway.domains.agm.subscriptions import drop_or_reject
from rostrum.gateway.messages.agm import Call, CallError, Invoke, Result, Yield
from rostrum.gateway.messages.global_domain import Error
from rostrum.gateway.messages.record import NULL, MethodId
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.state import State


def call(state: State, peer: Peer, message: Call) -> None:
    """Forward a call to the peer that has the method."""
    caller = member(state, peer)
    callee = find_method(state, peer, message.server_id, message.method_id)
    check_arguments(message)
    if len(caller.waiting) >= caller.most_waiting:
        caller.allow_calls(state.usage)
    invocation = Invocation(state.new_id("r"), caller, callee, message.request_id)
    callee.serving[invocation.id] = invocation
    caller.waiting[invocation.id] = invocation
    state.out.send(
        callee.peer,
        Invoke(
            invocation_id=invocation.id,
            method_id=message.method_id,
            caller_id=peer.id,
            arguments=message.arguments,
            arguments_kv=message.arguments_kv,
            context=message.context,
        ),
    )


def invoke_as(state: State, peer: Peer, server_id: str, method_id: MethodId, arguments: Raw) -> None:
    """Call a method for a peer that does not wait for the result."""
    callee = find_method(state, peer, server_id, method_id)
    invocation = Invocation(state.new_id("r"), member(state, peer), callee, "")
    callee.serving[invocation.id] = invocation
    invoke = Invoke(
        invocation_id=invocation.id,
        method_id=method_id,
        caller_id=peer.id,
        arguments=NULL,
        arguments_kv=arguments,
        context=NULL,
    )
    state.out.send(callee.peer, invoke)


def give_result(state: State, peer: Peer, message: Yield) -> None:
    """Forward a result; it is dropped if the call is no longer pending."""
    agm = member(state, peer)
    invocation = agm.serving.pop(message.invocation_id, None)
    if invocation is not None and _still_waits(invocation):
        state.out.send(invocation.caller.peer, Result(request_id=invocation.request_id, result=message.result))


def give_error(state: State, peer: Peer, message: CallError) -> None:
    """Forward an error to the caller or the subscriber, depending on the id."""
    agm = member(state, peer)
    given = message.request_id if isinstance(message.request_id, str) else ""
    invocation = agm.serving.pop(given, None)
    if invocation is None:
        drop_or_reject(state, agm, message, given)
    elif _still_waits(invocation):
        error = Error(
            domain="agm",
            request_id=invocation.request_id,
            reason_uri=message.reason_uri,
            reason=message.reason,
            context=message.context,
        )
        state.out.send(invocation.caller.peer, error)


def fail_calls_of(state: State, agm: AgmPeer) -> Steps:
    """End all calls of a leaving peer, so that no peer waits forever."""
    for invocation in list(agm.serving.values()):
        if invocation.caller is not agm and _still_waits(invocation):
            _fail(state, invocation, "Peer has left while waiting for result")
        if state.pace.is_over:
            yield
    for invocation in list(agm.waiting.values()):
        invocation.callee.serving.pop(invocation.id, None)
        # A result may have arrived between two steps.
        if _still_waits(invocation) and not agm.peer.is_gone:
            _fail(state, invocation, "The caller has left the domain while waiting for result")
        if state.pace.is_over:
            yield
    agm.serving.clear()
    agm.waiting.clear()
    agm.free_calls(state.usage)


def expire(state: State, _: float) -> Iterable[tuple[str, Steps]]:
    """Free the places of pending calls that are no longer needed."""
    for agm in state.agm_peers.values():
        if agm.most_waiting > FREE_CALLS:
            agm.free_calls(state.usage)
    return ()


def _still_waits(invocation: Invocation) -> bool:
    return invocation.caller.waiting.pop(invocation.id, None) is not None


def _fail(state: State, invocation: Invocation, text: str) -> None:
    error = Error(
        domain="agm", request_id=invocation.request_id, reason_uri="agm.errors.invocation.failure", reason=text
    )
    state.out.send(invocation.caller.peer, error)
