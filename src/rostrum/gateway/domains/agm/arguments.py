"""The arguments of calls and subscriptions: passed on unread, but of the right shape."""

import msgspec

from rostrum.gateway.messages.agm import Call, Subscribe
from rostrum.gateway.messages.record import NULL
from rostrum.gateway.reasons import Refused, failure
from rostrum.gateway.wire import body_decoder, first_character

_positional = body_decoder(list[msgspec.Raw])
_by_name = body_decoder(dict[str, msgspec.Raw])


def check_arguments(message: Call | Subscribe) -> None:
    """Refuse arguments of the wrong shape, and arguments of both kinds at once."""
    positional = message.arguments is not NULL and _is_given(message.arguments, "[", "arguments must be an array")
    by_name = message.arguments_kv is not NULL and _is_given(
        message.arguments_kv, "{", "arguments_kv must be an object"
    )
    if positional and by_name and _positional.decode(message.arguments) and _by_name.decode(message.arguments_kv):
        text = "Cant use positional and by-name arguments at the same time"
        raise Refused("agm.errors.invocation.failure", text)


def _is_given(arguments: msgspec.Raw, opening: str, complaint: str) -> bool:
    first = first_character(arguments)
    if first not in (opening, "n"):
        raise failure("agm", complaint)
    return first == opening
