"""The global domain: joining and leaving other domains, tokens, and contexts of peers that joined no other domain."""

from collections.abc import Mapping

from rostrum.gateway.domains.context.domain import CONTEXT_HANDLERS
from rostrum.gateway.domains.domain import Domain, Handler, TokenSigner
from rostrum.gateway.messages.global_domain import CreateToken, Join, Leave, Success, Token
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason, Refused
from rostrum.gateway.relayed import check_join
from rostrum.gateway.restrictions import BadRestriction, parse_restriction, weight
from rostrum.gateway.state import State

_NAME = "global"


def global_domain(domains: Mapping[str, Domain], tokens: TokenSigner) -> Domain:
    """Create the domain, which has access to all others; tokens are signed outside."""

    def join(state: State, peer: Peer, message: Join) -> Steps:
        domain = _destination(domains, message.destination)
        check_join(peer, domain.name)
        if domain.name not in peer.joined:
            try:
                restriction = parse_restriction(message.restrictions)
            except BadRestriction as error:
                text = f"The restrictions are wrong: {error}"
                raise Refused(f"{domain.name}.errors.failure", text, domain=domain.name) from None
            state.usage.check(peer, peer.user, weight(restriction), domain.name)
            yield from domain.join(state, peer, restriction, message) or ()
        state.out.send(peer, Success(domain=domain.name, request_id=message.request_id))

    def leave(state: State, peer: Peer, message: Leave) -> Steps:
        domain = _destination(domains, message.destination)
        if domain.name in peer.joined:
            yield from domain.leave(state, peer, Reason(message.reason_uri, message.reason)) or ()
        state.out.send(peer, Success(domain=domain.name, request_id=message.request_id))

    def create_token(state: State, peer: Peer, message: CreateToken) -> None:
        binding = "" if peer.binding is None else peer.binding.id
        token = tokens.gateway_token(str(peer.identity.get("user", peer.user)), peer.session, binding)
        state.out.send(peer, Token(request_id=message.request_id, token=token))

    handlers: dict[type, Handler] = {Join: join, Leave: leave, CreateToken: create_token, **CONTEXT_HANDLERS}
    return Domain(name=_NAME, version=1, handlers=handlers)


def _destination(domains: Mapping[str, Domain], name: str) -> Domain:
    domain = domains.get(name)
    if domain is None:
        raise Refused("global.errors.invalid_domain", f"There is no domain {name}")
    return domain
