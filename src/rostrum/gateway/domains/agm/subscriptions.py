"""Streams: subscription requests, acceptance, events and their end."""

from rostrum.gateway.domains.agm.agm_peer import AgmPeer, Subscription
from rostrum.gateway.domains.agm.members import check_arguments, find_method, member
from rostrum.gateway.messages.agm import (
    Accepted,
    AddInterest,
    CallError,
    DropSubscription,
    Event,
    Post,
    Publish,
    RemoveInterest,
    Subscribe,
    Subscribed,
    SubscriptionCancelled,
    Unsubscribe,
)
from rostrum.gateway.messages.global_domain import Error, Success
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason, Refused
from rostrum.gateway.state import MANY_RECEIVERS, State

_INVALID = "agm.errors.subscription.invalid_subscription"


def subscribe(state: State, peer: Peer, message: Subscribe) -> None:
    """Request the publisher to accept a subscriber."""
    subscriber = member(state, peer)
    publisher = find_method(state, peer, message.server_id, message.method_id)
    check_arguments(message)
    subscription = Subscription(state.new_id("r"), subscriber, publisher, message)
    subscriber.subscriptions.keep(peer, {subscription.id: subscription})
    publisher.interests[subscription.id] = subscription
    state.out.send(
        publisher.peer,
        AddInterest(
            subscription_id=subscription.id,
            method_id=message.method_id,
            caller_id=peer.id,
            arguments=message.arguments,
            arguments_kv=message.arguments_kv,
            flags=message.flags,
            context=message.context,
        ),
    )


def accept(state: State, peer: Peer, message: Accepted) -> None:
    """Add a subscriber to a branch; it receives all later events of the branch."""
    agm = member(state, peer)
    if message.stream_id is None:
        raise Refused(_INVALID, "Invalid or missing stream id")
    subscription = agm.interests.get(message.subscription_id)
    if subscription is None:
        return
    is_first = subscription.stream_id is None
    _leave_branch(agm, subscription)
    subscription.stream_id = message.stream_id
    agm.streams.setdefault(message.stream_id, {})[subscription.id] = subscription
    if is_first:
        answer = Subscribed(request_id=subscription.request_id, subscription_id=subscription.id)
        state.out.send(subscription.subscriber.peer, answer)


def publish(state: State, peer: Peer, message: Publish) -> Steps | None:
    """Send an event to all subscribers of a branch."""
    branch = member(state, peer).streams.get(message.stream_id)
    if not branch:
        return None
    event = Event(oob=False, sequence=message.sequence, snapshot=message.snapshot, data=message.data)
    if len(branch) > MANY_RECEIVERS:
        return state.out.send_in_steps(branch.values(), event)
    state.out.send_all(branch.values(), event)
    return None


def post(state: State, peer: Peer, message: Post) -> None:
    """Send an event to one subscriber."""
    subscription = member(state, peer).interests.get(message.subscription_id)
    if subscription is not None and subscription.stream_id is not None:
        event = Event(oob=True, sequence=message.sequence, snapshot=message.snapshot, data=message.data)
        state.out.send(subscription, event)


def drop(state: State, peer: Peer, message: DropSubscription) -> None:
    """End a subscription that was accepted."""
    subscription = member(state, peer).interests.get(message.subscription_id)
    if subscription is None:
        text = "Trying to drop a non-existing subscription"
        raise Refused(_INVALID, text, request_id=message.subscription_id)
    if subscription.stream_id is None:
        text = "Trying to drop a subscription that wasnt established. Did you mean to return an error instead?"
        raise Refused(_INVALID, text, request_id=message.subscription_id)
    cancel(state, subscription, Reason(message.reason_uri, message.reason))


def drop_or_reject(state: State, agm: AgmPeer, message: CallError, subscription_id: str) -> None:
    """Reject a subscriber, or end its subscription if it was accepted before."""
    subscription = agm.interests.get(subscription_id)
    if subscription is None:
        raise Refused(_INVALID, "Trying to drop a non-existing subscription")
    if subscription.stream_id is not None:
        cancel(state, subscription, Reason(message.reason_uri, message.reason))
        return
    _forget(subscription)
    error = Error(
        domain="agm",
        request_id=subscription.request_id,
        reason_uri=message.reason_uri,
        reason=message.reason,
        context=message.context,
    )
    state.out.send(subscription.subscriber.peer, error)


def unsubscribe(state: State, peer: Peer, message: Unsubscribe) -> None:
    """End one of the peer's own subscriptions."""
    subscription = member(state, peer).subscriptions.get(message.subscription_id)
    if subscription is None:
        text = f"Unable to find subscription with id {message.subscription_id} on subscriber id {peer.id}"
        raise Refused(_INVALID, text)
    _forget(subscription)
    _remove_interest(state, subscription, Reason(message.reason_uri, message.reason))
    state.out.send(peer, Success(domain="agm", request_id=message.request_id))


def cancel(state: State, subscription: Subscription, reason: Reason) -> None:
    """End a subscription from the publisher's side, and notify the subscriber."""
    _forget(subscription)
    if subscription.stream_id is None:
        # The subscriber still waits for a response, and ignores other messages.
        error = Error(
            domain="agm",
            request_id=subscription.request_id,
            reason_uri="agm.errors.subscription.failure",
            reason=reason.text,
        )
        state.out.send(subscription.subscriber.peer, error)
        return
    cancelled = SubscriptionCancelled(subscription_id=subscription.id, reason_uri=reason.uri, reason=reason.text)
    state.out.send(subscription.subscriber.peer, cancelled)


def end_subscriptions_of(state: State, agm: AgmPeer, reason: Reason) -> Steps:
    """End a leaving peer's own subscriptions."""
    for subscription in list(agm.subscriptions.values()):
        if subscription.id in agm.subscriptions:
            _forget(subscription)
            _remove_interest(state, subscription, reason)
        if state.pace.is_over:
            yield


def _remove_interest(state: State, subscription: Subscription, reason: Reason) -> None:
    removed = RemoveInterest(
        subscription_id=subscription.id,
        method_id=subscription.method_id,
        caller_id=subscription.subscriber.peer.id,
        reason_uri=reason.uri,
        reason=reason.text,
    )
    state.out.send(subscription.publisher.peer, removed)


def _forget(subscription: Subscription) -> None:
    subscription.publisher.interests.pop(subscription.id, None)
    _leave_branch(subscription.publisher, subscription)
    subscription.subscriber.subscriptions.drop(subscription.id)


def _leave_branch(agm: AgmPeer, subscription: Subscription) -> None:
    if subscription.stream_id is None:
        return
    branch = agm.streams.get(subscription.stream_id)
    if branch is not None:
        branch.pop(subscription.id, None)
        if not branch:
            del agm.streams[subscription.stream_id]
