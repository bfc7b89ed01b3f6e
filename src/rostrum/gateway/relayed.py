"""Connections of apps that a browser platform relays: they may do less than the platform, whose credentials they use.

The platform filters the frames of such an app itself. These rules apply if an app passes that filter.
"""

from typing import Any

from rostrum.gateway.messages.global_domain import Hello
from rostrum.gateway.peer import Peer, Source
from rostrum.gateway.reasons import Reason, Refused

MARK = "relayed"
"""The member of the identity with which a platform marks the connection of an app."""

_CONTEXTS = frozenset(
    {"create-context", "subscribe-context", "unsubscribe-context", "update-context", "destroy-context"}
)
MESSAGES: dict[str, frozenset[str]] = {
    "global": frozenset({"join", "leave", "ping"}) | _CONTEXTS,
    "agm": frozenset(
        {"register", "unregister", "call", "yield", "error", "subscribe", "unsubscribe", "accepted"}
        | {"publish", "post", "drop-subscription"}
    ),
    "bus": frozenset({"subscribe", "unsubscribe", "publish"}),
    "context": _CONTEXTS,
    "metrics": frozenset({"define", "publish"}),
}
"""The messages of such an app, by domain; platform-ui/src/messages/relay-messages.ts has the same list. Neither tokens
nor activities are included: both lead to sign-ins without the mark."""

_PLATFORM_METHODS = ("t42.web.platform.", "t42.core.plus.themes.")
"""Prefixes of the methods with which apps call their platform, in lower case."""


def begin(source: Source, hello: Hello) -> None:
    """Mark the connection if its sign-in has the mark; reject all other sign-ins of a marked connection."""
    if source.is_relayed:
        text = "The connection of an app has one sign-in. Open another connection"
        raise Refused("global.errors.authentication.failure", text)
    source.is_relayed = is_marked(hello.identity)


def is_marked(identity: dict[str, Any]) -> bool:
    """Return whether an identity has the mark; only ``false`` and ``null`` are the same as none."""
    value = identity.get(MARK)
    return value is not None and value is not False


def refusal(source: Source, domain: str, kind: str) -> Reason | None:
    """Return why a connection may not send a message; None if it may."""
    if not source.is_relayed or kind in MESSAGES.get(domain, ()):
        return None
    return Reason(f"{domain}.errors.not_authorized", f"Apps of a browser platform cannot send {kind} messages")


def check_join(peer: Peer, domain: str) -> None:
    """Reject domains whose messages the peer may not send."""
    if peer.source.is_relayed and domain not in MESSAGES:
        text = f"Apps of a browser platform cannot join the domain {domain}"
        raise Refused(f"{domain}.errors.not_authorized", text, domain=domain)


def check_method(peer: Peer, name: str) -> None:
    """Reject methods that other apps would take for those of the platform."""
    if peer.source.is_relayed and name.casefold().startswith(_PLATFORM_METHODS):
        text = f"Only a platform can register the method {name}"
        raise Refused("agm.errors.registration.failure", text)
