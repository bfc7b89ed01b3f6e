"""Converts contexts and results of intents between FDC3 and client libraries without FDC3.

A context of these libraries is ``{type, data}``; an FDC3 context has its members beside its type. Handlers without FDC3
get both forms. ``@interopio/fdc3`` puts results into an envelope and accepts no other result; handlers without FDC3
return plain objects, and their callers read the members of the result itself.
"""

from collections.abc import Mapping
from typing import Any

_NOTHING = "fdc3.nothing"
_CONTEXT, _CHANNEL, _ERROR = "fdc3intentContext", "fdc3intentChannel", "fdc3error"
_Message = dict[str, Any]


def fdc3_form(context: Mapping[str, Any]) -> _Message:
    """Convert a context of a client without FDC3 to an FDC3 context, which has its members beside its type."""
    data = context.get("data")
    if isinstance(data, dict) and context.keys() <= {"type", "data"}:
        context = {**data, "type": context.get("type") or data.get("type") or _NOTHING}
    return {"type": _NOTHING, **context}


def both_forms(context: _Message) -> _Message:
    """Extend an FDC3 context so that handlers without FDC3 also find its members in ``data``."""
    return context if "data" in context else {**context, "data": context}


def intent_result(answer: Any) -> _Message:
    """Return the result of an intent from the response of a handler on the gateway; empty if there is none."""
    if not isinstance(answer, dict) or not answer or _ERROR in answer:
        return {}
    envelope, channel = answer.get(_CONTEXT), answer.get(_CHANNEL)
    if isinstance(channel, dict):
        # Only user channels are shared between apps; app channels and private channels exist only inside the library.
        shared = channel.get("type") == "user" and isinstance(channel.get("id"), str)
        return {"channel": {"type": "user", "id": channel["id"]}} if shared else {}
    if isinstance(envelope, dict) and isinstance(envelope.get("payload"), dict):
        answer = envelope["payload"]
    return {"context": {"type": _NOTHING, **answer}}


def client_result(result: Mapping[str, Any]) -> _Message:
    """Return the response for a caller on the gateway: the members of a context, and the envelope that contains it."""
    context, channel = result.get("context"), result.get("channel")
    if context:
        return {**context, _CONTEXT: {"contextType": context["type"], "payload": context}}
    if channel and channel.get("type") == "user":
        return {_CHANNEL: channel}
    return {}
