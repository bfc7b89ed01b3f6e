"""Starting activities and requesting peers for them."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Raw

from rostrum.gateway.costs import FRAME
from rostrum.gateway.domains.activity.activities import Activity, Factory, Member, PeerRequest
from rostrum.gateway.domains.activity.membership import announce_start, destroy, enter, leave
from rostrum.gateway.domains.activity.offers import find, member
from rostrum.gateway.domains.context.contexts import MEMBER_BYTES, Context, Lifetime, Permissions
from rostrum.gateway.domains.context.delta import BadDelta, as_data
from rostrum.gateway.domains.domain import Handler, TokenSigner
from rostrum.gateway.messages import activity as messages
from rostrum.gateway.messages.global_domain import Error, Success, Token
from rostrum.gateway.messages.record import Incoming
from rostrum.gateway.pace import Partly, Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason, Refused, failure
from rostrum.gateway.state import State

MOST_ACTIVITIES = 1000
MOST_REQUESTS = 10_000
MOST_ROLES = 1000
"""Maximum number of peers that are requested for one activity."""
LONGEST_RELOAD = 60.0

_OWNER_FAILED = "activity.errors.owner_creation"

Making = tuple[messages.Role, Peer, Factory]


def creation_handlers(tokens: TokenSigner) -> dict[type[Incoming], Handler]:
    """Create the handlers that request peers; each peer signs in with its own token."""

    def create(state: State, peer: Peer, message: messages.CreateActivity) -> Steps:
        member(state, peer)
        roles, default_context = _roles(state, peer, message)
        making = yield from _all_making(state, peer, roles)
        if sum(activity.user == peer.user for activity in state.activities.by_id.values()) >= MOST_ACTIVITIES:
            raise failure("activity", f"a user may have {MOST_ACTIVITIES} activities at most")
        try:
            data = {**as_data(default_context), **as_data(message.initial_context)}
        except BadDelta as error:
            raise failure("activity", str(error)) from None
        activity_id = state.new_id("a")
        permissions = Permissions(None, None)
        context = Context(
            state.new_id("c"), activity_id, peer, lifetime=Lifetime.ACTIVITY, data=data, permissions=permissions
        )
        requests = [PeerRequest(state.new_id("r"), maker, peer, role.type, role.name) for role, maker, _ in making]
        growth = context.bytes + MEMBER_BYTES + sum(request.bytes for request in requests)
        state.usage.check(peer, context.user, growth, "activity")
        state.contexts.add(context, peer)
        activity = Activity(activity_id, message.activity_type, peer, context)
        state.activities.by_id[activity.id] = activity
        state.out.send(peer, messages.Initiated(request_id=message.request_id, activity_id=activity.id))
        given = {(each.type, each.name): each.configuration or {} for each in message.configuration or ()}
        for request, (role, _, factory) in zip(requests, making, strict=True):
            request.activity = activity
            request.is_owner = request is requests[0]
            wanted = given.get((role.type, role.name), given.get((role.type, None), {}))
            _ask(state, request, factory, [role.configuration or {}, wanted], tokens.request_token)
            if state.pace.is_over:
                yield

    def create_peer(state: State, peer: Peer, message: messages.CreatePeer) -> Steps:
        member(state, peer)
        activity = find(state, peer, message.activity_id) if message.activity_id is not None else None
        role = messages.Role(type=message.peer_type, name=message.peer_name)
        others = yield from state.visible(peer, "activity")
        _, maker, factory = _making(state, (peer, *others), role, message.owner_id)
        request = PeerRequest(state.new_id("r"), maker, peer, message.peer_type, message.peer_name)
        request.activity = activity
        request.is_single = True
        request.client_request = message.request_id
        _ask(state, request, factory, [message.configuration or {}], tokens.request_token)
        state.out.send(peer, Success(domain="activity", request_id=message.request_id))

    def reload(state: State, peer: Peer, message: messages.Reload) -> None:
        own = member(state, peer)
        request = PeerRequest(state.new_id("r"), peer, peer, None, None)
        if own.activity is not None:
            request.activity = own.activity
            request.replaces = next(found for found in own.activity.members if found.peer is peer)
        _add_request(state, request)
        # A peer that replaces a bound peer gets the same binding. Other requested peers have no binding, because the
        # program that creates them chooses their identity.
        bound = {} if peer.binding is None else {"binding": peer.binding.id}
        token = tokens.request_token({**_claims(request, peer), **bound})
        state.out.send(peer, Token(domain="activity", request_id=message.request_id, token=token))

    return {
        messages.CreateActivity: create,
        messages.CreatePeer: create_peer,
        messages.Reload: reload,
        messages.Ready: _ready,
        messages.ActivityError: _cannot_make,
    }


def take_place(state: State, peer: Peer) -> None:
    """Add a peer that signed in with the token of a request to the activity it was created for."""
    claim = peer.claims.get("gw-request")
    request = state.activities.requests.drop(claim["id"]) if isinstance(claim, dict) else None
    if request is None:
        return
    own = member(state, peer)
    if request.replaces is None:
        own.request = request
        return
    activity = request.activity
    if activity is not None and activity.id in state.activities.by_id:
        _replace(state, activity, request.replaces, peer)


def expire(state: State, now: float) -> Iterable[tuple[str, Steps]]:
    """Remove the members that disconnected to reload and did not reconnect."""
    for request in [found for found in state.activities.requests.values() if found.replaces is not None]:
        if request.since is None:
            request.since = now
        elif now - request.since > LONGEST_RELOAD:
            state.activities.requests.drop(request.id)
            _give_up(state, request)
    return ()


def _give_up(state: State, request: PeerRequest) -> None:
    old, activity = request.replaces, request.activity
    if old is None or activity is None or not old.peer.is_gone or old not in activity.members:
        return
    leave(state, old.peer, activity, Reason("activity.peer-removed", "Peer has been removed"))


def fail(state: State, request: PeerRequest, reason: Reason) -> None:
    """Notify the affected peers that a peer will not join."""
    if request.is_single:
        error = Error(domain="activity", request_id=request.client_request, reason_uri=reason.uri, reason=reason.text)
        state.out.send(request.requester, error)
    elif request.is_owner and request.activity is not None and request.activity.id in state.activities.by_id:
        destroy(state, request.activity, request.requester, Reason(reason.uri or _OWNER_FAILED, reason.text))


def _ready(state: State, peer: Peer, message: messages.Ready) -> Steps:
    own = member(state, peer)
    request, own.request = own.request, None
    if request is None:
        raise failure("activity", "No request is waiting for this peer")
    activity = request.activity
    if activity is not None and activity.id in state.activities.by_id:
        newcomer = Member(peer, request.type, request.name)
        if request.is_owner:
            activity.owner = newcomer
            own.activity = activity
            state.contexts.enter(activity.context, peer)
            yield from announce_start(state, activity)
        else:
            enter(state, activity, newcomer)
    if request.is_single:
        created = messages.PeerCreated(request_id=request.client_request, created_id=peer.id)
        state.out.send(request.requester, created)
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))


def _cannot_make(state: State, peer: Peer, message: messages.ActivityError) -> None:
    member(state, peer)
    request = state.activities.requests.get(str(message.request_id))
    if request is None or request.maker is not peer:
        raise failure("activity", f"No request is waiting for an answer to {message.request_id}")
    state.activities.requests.drop(request.id)
    fail(state, request, Reason(message.reason_uri, message.reason))


def _replace(state: State, activity: Activity, old: Member, peer: Peer) -> None:
    newcomer = Member(peer, old.type, old.name)
    before = state.activities.peers.get(old.peer.id)
    if before is not None:
        before.activity = None
    state.contexts.exit(activity.context, old.peer)
    state.contexts.enter(activity.context, peer)
    member(state, peer).activity = activity
    if activity.owner is old:
        activity.owner = newcomer
    else:
        activity.participants.pop(old.peer.id, None)
        activity.participants[peer.id] = newcomer
    state.out.send(peer, activity.joined(newcomer))
    others = [each.peer for each in activity.members if each is not newcomer]
    joined = messages.ActivityJoined(
        activity_id=activity.id, joined_id=peer.id, joined_type=newcomer.type, joined_name=newcomer.name
    )
    left = messages.Left(activity_id=activity.id, left_id=old.peer.id, reason_uri=None, reason=None)
    state.out.send_all(others, joined)
    state.out.send_all(others, left)


def _roles(state: State, peer: Peer, message: messages.CreateActivity) -> tuple[list[messages.Role], Raw]:
    kind = state.activities.kinds_of(peer.user).get(message.activity_type)
    if kind is None:
        text = f"Unable to find activity type {message.activity_type}"
        raise Refused("activity.errors.missing_type", text)
    defined, other = kind.definition, message.types_override
    owner = other.owner_type if other is not None and other.owner_type is not None else defined.owner_type
    helpers = defined.helper_types if other is None or other.helper_types is None else other.helper_types
    return [owner, *(helpers or ())], defined.default_context


def _all_making(state: State, peer: Peer, roles: Sequence[messages.Role]) -> Partly[list[Making]]:
    if len(roles) > MOST_ROLES:
        raise failure("activity", f"an activity may have {MOST_ROLES} peers at most")
    others = yield from state.visible(peer, "activity")
    found: list[Making] = []
    for role in roles:
        found.append(_making(state, (peer, *others), role))
        if state.pace.is_over:
            yield
    return found


def _making(state: State, makers: Iterable[Peer], role: messages.Role, maker_id: str | None = None) -> Making:
    for maker in makers:
        own = state.activities.peers.get(maker.id)
        if own is None or maker_id not in (None, maker.id):
            continue
        for factory in own.factories.values():
            if factory.definition.peer_type == role.type:
                return role, maker, factory
    raise Refused("activity.errors.missing_factory", f"Unable to find a factory for peers of type {role.type}")


def _add_request(state: State, request: PeerRequest) -> None:
    if len(state.activities.requests) >= MOST_REQUESTS:
        # The oldest request of the same user is not expected to be answered.
        oldest = next((each for each in state.activities.requests.values() if each.owner == request.owner), None)
        if oldest is not None:
            state.activities.requests.drop(oldest.id)
            _give_up(state, oldest)
    state.activities.requests.keep(request.requester, {request.id: request})


def _ask(
    state: State,
    request: PeerRequest,
    factory: Factory,
    configurations: Iterable[messages.Configuration],
    sign: Callable[[dict[str, object]], str],
) -> None:
    _add_request(state, request)
    configuration = dict(factory.definition.configuration or {})
    for each in configurations:
        configuration.update(each)
    activity = request.activity
    requested = messages.PeerRequested(
        request_id=request.id,
        peer_factory=factory.definition.id,
        gateway_token=sign(_claims(request, request.requester)),
        configuration=configuration,
    )
    if activity is not None:
        made_for = messages.RequestedFor(
            id=activity.id, type=activity.type, context_id=activity.context.id, initial_context=activity.context.text
        )
        requested = messages.PeerRequested(
            request_id=requested.request_id,
            peer_factory=requested.peer_factory,
            gateway_token=requested.gateway_token,
            configuration=configuration,
            activity=made_for,
        )
    state.out.send(request.maker, requested, FRAME if activity is None else activity.context.bytes)


def _claims(request: PeerRequest, requester: Peer) -> dict[str, object]:
    claim: dict[str, object] = {
        "type": "create-peer" if request.is_single else "activity",
        "id": request.id,
        "peer_type": request.type,
        "peer_name": request.name,
    }
    if request.activity is not None:
        claim["activity"] = {"id": request.activity.id, "owner?": request.is_owner}
    if request.client_request is not None:
        claim["client-request"] = request.client_request
    session = {"sid": requester.session} if requester.session else {}
    user = requester.identity.get("user")
    return {"user": user, "impersonate-peer": requester.identity, "gw-request": claim, **session}
