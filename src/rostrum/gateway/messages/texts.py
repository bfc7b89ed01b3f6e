"""The members of messages that are texts or numbers, in contrast to payloads of any size."""

from collections.abc import Iterator

import msgspec

from rostrum.gateway.messages import activity, agm, bus, context, global_domain, metrics
from rostrum.gateway.messages.record import Incoming

_PAYLOADS = ("Raw", "list", "dict", "rostrum.")


def _texts() -> Iterator[str]:
    for module in (activity, agm, bus, context, global_domain, metrics):
        for record in vars(module).values():
            if isinstance(record, type) and issubclass(record, Incoming):
                for member in msgspec.structs.fields(record):
                    if not any(payload in str(member.type) for payload in _PAYLOADS):
                        yield member.encode_name


TEXTS = frozenset(_texts()) | {"domain", "type", "request_id", "peer_id"}
"""Long values of these members are refused before they are decoded."""
