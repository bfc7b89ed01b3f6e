"""Creating, subscribing to, changing and removing contexts."""

from collections.abc import Callable, Iterable

from rostrum.gateway.domains.context.contexts import (
    LARGEST_DATA,
    LONGEST_NAME,
    MEMBER_BYTES,
    MOST_CONTEXTS,
    Context,
    Lifetime,
    Permissions,
)
from rostrum.gateway.domains.context.delta import EMPTY, OBJECT, BadDelta, Draft, is_nothing
from rostrum.gateway.messages import context as messages
from rostrum.gateway.messages.global_domain import Success
from rostrum.gateway.messages.record import Outgoing
from rostrum.gateway.pace import Partly, Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason, Refused, failure
from rostrum.gateway.restrictions import BadRestriction, parse_restriction
from rostrum.gateway.state import State

MessageIn = Callable[[str], Outgoing]

_MOST_ATTEMPTS = 5
"""How often a large change begins again because other peers have changed the context meanwhile."""
_LEFT = "Context destroyed because its owner/last peer left"


def create(state: State, peer: Peer, message: messages.CreateContext) -> Steps:
    """Create a context, or join the existing one with the name."""
    domain = message.domain or "global"
    found = state.contexts.named(peer, message.name)
    if found is not None:
        _follow(state, peer, found, message)
        return
    if message.lifetime not in Lifetime.CHOOSABLE:
        raise Refused(f"{domain}.errors.bad_lifetime", f"Bad lifetime value {message.lifetime}")
    if len(message.name) > LONGEST_NAME:
        raise failure(domain, f"The name of a context may have {LONGEST_NAME} characters at most")
    try:
        permissions = Permissions(
            parse_restriction(message.read_permissions), parse_restriction(message.write_permissions)
        )
        draft = Draft(EMPTY, OBJECT)
        for _ in draft.fill(message.data):
            if state.pace.is_over:
                yield
    except (BadRestriction, BadDelta) as error:
        raise failure(domain, str(error)) from None
    # A peer of this process may have created it between two steps.
    found = state.contexts.named(peer, message.name)
    if found is not None:
        _follow(state, peer, found, message)
        return
    if state.contexts.is_full(peer):
        raise failure(domain, f"A user may have {MOST_CONTEXTS} contexts at most")
    _check_size(draft.weighs, domain)
    context = Context(
        state.new_id("c"),
        message.name,
        peer,
        lifetime=message.lifetime,
        data=draft.data,
        data_bytes=draft.weighs,
        permissions=permissions,
    )
    state.usage.check(peer, context.user, context.bytes + MEMBER_BYTES, domain)
    state.contexts.add(context, peer)
    state.contexts.enter(context, peer)
    # The creator must know the context before others are notified of it.
    others = yield from readers(state, context)
    _notify(state, others, lambda domain: _added(domain, context, peer.id))
    state.out.send(peer, messages.ContextCreated(domain=domain, request_id=message.request_id, context_id=context.id))


def subscribe(state: State, peer: Peer, message: messages.SubscribeContext) -> None:
    """Return the current data, and send all later changes."""
    _follow(state, peer, _find(state, peer, message), message)


def unsubscribe(state: State, peer: Peer, message: messages.UnsubscribeContext) -> Steps:
    """Stop notifying a peer of changes; a context without members ends."""
    domain = message.domain or "global"
    context = _find(state, peer, message)
    yield from _exit(state, peer, context, Reason(f"{domain}.peer-left", _LEFT))
    state.out.send(peer, Success(domain=domain, request_id=message.request_id))


def update(state: State, peer: Peer, message: messages.UpdateContext) -> Steps | None:
    """Change the data, and notify the other members; a large change continues in steps."""
    domain = message.domain or "global"
    context = _writable(state, peer, message)
    if is_nothing(message.delta):
        state.out.send(peer, Success(domain=domain, request_id=message.request_id))
        return None
    draft = Draft(context.data, context.data_bytes)
    steps = draft.change(message.delta)
    try:
        for _ in steps:
            if state.pace.is_over:
                return _update_in_steps(state, peer, message, draft, steps)
    except BadDelta as error:
        raise failure(domain, str(error)) from None
    _finish(state, peer, message, context, draft)
    return None


def _update_in_steps(
    state: State, peer: Peer, message: messages.UpdateContext, draft: Draft, steps: Steps | None
) -> Steps:
    """Continue a change. The context stays unchanged until the end.

    Peers that do not wait for this work, such as services, may change the context meanwhile: then it begins again.
    """
    domain = message.domain or "global"
    for _ in range(_MOST_ATTEMPTS):
        yield
        try:
            for _ in steps or draft.change(message.delta):
                if state.pace.is_over:
                    yield
        except BadDelta as error:
            raise failure(domain, str(error)) from None
        context = _writable(state, peer, message)
        if context.data is draft.base:
            _finish(state, peer, message, context, draft)
            return
        draft, steps = Draft(context.data, context.data_bytes), None
    raise failure(domain, "Other peers change the context too often for such a large change; try again later")


def _writable(state: State, peer: Peer, message: messages.UpdateContext) -> Context:
    context = _find(state, peer, message)
    if not context.may_write(peer):
        domain = message.domain or "global"
        raise Refused(f"{domain}.errors.not_authorized", "Not authorized to update context")
    return context


def _finish(state: State, peer: Peer, message: messages.UpdateContext, context: Context, draft: Draft) -> None:
    domain = message.domain or "global"
    growth = draft.weighs - context.data_bytes
    if growth > 0:
        _check_size(draft.weighs, domain)
        state.usage.check(peer, context.user, growth, domain)
    state.contexts.change(context, peer, draft.data, draft.weighs)
    others = [member for member in context.members.values() if member is not peer]
    _notify(
        state,
        others,
        lambda domain: messages.ContextUpdated(
            domain=domain, updater_id=peer.id, context_id=context.id, delta=message.delta
        ),
    )
    state.out.send(peer, Success(domain=domain, request_id=message.request_id))


def _check_size(weighs: int, domain: str) -> None:
    if weighs > LARGEST_DATA:
        raise Refused(
            f"{domain}.errors.limits_exceeded",
            f"The data of a context may have {LARGEST_DATA} bytes at most, and this would be {weighs}",
        )


def destroy(state: State, peer: Peer, message: messages.DestroyContext) -> Steps:
    """Remove a context at the request of a peer."""
    domain = message.domain or "global"
    context = _find(state, peer, message)
    may = context.owner is peer if context.lifetime == Lifetime.OWNERSHIP else context.may_write(peer)
    if not may or context.lifetime == Lifetime.ACTIVITY:
        raise Refused(f"{domain}.errors.not_authorized", "Not authorized to destroy context")
    yield from remove(state, context, Reason(f"{domain}.destroyed", "Context destroyed explicitly"))
    state.out.send(peer, Success(domain=domain, request_id=message.request_id))


def remove(state: State, context: Context, reason: Reason) -> Steps:
    """Remove a context, and notify all peers that could see it."""
    others = yield from readers(state, context)
    receivers = {peer.id: peer for peer in (*context.members.values(), *others)}
    state.contexts.remove(context)
    _notify(
        state,
        receivers.values(),
        lambda domain: messages.ContextDestroyed(
            domain=domain, context_id=context.id, reason_uri=reason.uri, reason=reason.text
        ),
    )


def leave_all(state: State, peer: Peer) -> Steps:
    """Remove a peer from every context; contexts that it owned, or that have no other peers, end."""
    for context in state.contexts.of(peer):
        yield from _exit(state, peer, context, Reason("context.peer-left", _LEFT))
        if state.pace.is_over:
            yield


def expire(state: State, now: float) -> Iterable[tuple[str, Steps]]:
    """Remove the contexts of users that have been disconnected for long."""
    return [(user, _remove_all(state, state.contexts.of_user(user))) for user in state.absences.expired(now)]


def _remove_all(state: State, contexts: Iterable[Context]) -> Steps:
    for context in contexts:
        # A peer may have signed in and removed it between two steps.
        if state.contexts.has(context):
            reason = Reason("context.destroyed", "Context destroyed because its user left")
            yield from remove(state, context, reason)
        if state.pace.is_over:
            yield


def announce(state: State, peer: Peer) -> Steps:
    """Notify a new peer of the existing contexts."""
    for context in state.contexts.known_to(peer):
        if context.lifetime != Lifetime.ACTIVITY and state.contexts.has(context) and context.may_read(peer):
            owner = context.owner.id if context.owner is not None else None
            state.out.send(peer, _added(peer.context_domain, context, owner))
        if state.pace.is_over:
            yield


def readers(state: State, context: Context) -> Partly[list[Peer]]:
    """List the peers that may read a context."""
    found: list[Peer] = []
    for peer in state.who_may_see(context.user):
        if context.is_known_to(peer) and context.may_read(peer):
            found.append(peer)
        if state.pace.is_over:
            yield
    return found


def _find(
    state: State,
    peer: Peer,
    message: messages.SubscribeContext | messages.UnsubscribeContext | messages.UpdateContext | messages.DestroyContext,
) -> Context:
    context = state.contexts.find(peer, message.context_id)
    if context is None:
        # Clients compare the start of this text and then treat the context as empty.
        raise failure(message.domain or "global", f"Unable to find context with id {message.context_id}")
    return context


def _follow(
    state: State, peer: Peer, context: Context, message: messages.CreateContext | messages.SubscribeContext
) -> None:
    domain = message.domain or "global"
    if not context.may_read(peer):
        raise Refused(f"{domain}.errors.not_authorized", "Not authorized to read context")
    if peer.id not in context.members:
        state.usage.check(peer, peer.user, MEMBER_BYTES, domain)
    state.contexts.enter(context, peer)
    snapshot = messages.SubscribedContext(
        domain=domain, request_id=message.request_id, context_id=context.id, data=context.snapshot
    )
    state.out.send(peer, snapshot)


def _exit(state: State, peer: Peer, context: Context, reason: Reason) -> Steps:
    if peer.id not in context.members:
        return
    is_last = len(context.members) == 1 and context.lifetime == Lifetime.REF_COUNTED
    if context.owner is peer or is_last:
        yield from remove(state, context, reason)
        return
    state.contexts.exit(context, peer)


def _added(domain: str, context: Context, creator_id: str | None) -> Outgoing:
    return messages.ContextAdded(domain=domain, creator_id=creator_id, context_id=context.id, name=context.name)


def _notify(state: State, peers: Iterable[Peer], message: MessageIn) -> None:
    """Send a message to each peer in the domain in which it receives contexts."""
    by_domain: dict[str, list[Peer]] = {}
    for peer in peers:
        by_domain.setdefault(peer.context_domain, []).append(peer)
    for domain, listening in by_domain.items():
        state.out.send_all(listening, message(domain))
