"""The arguments of one call with which a platform sends messages."""

from collections.abc import AsyncIterator

import msgspec
from msgspec import Raw

from rostrum.agents.link_messages import FromPlatform, Sent
from rostrum.agents.user_work import UserWork
from rostrum.fdc3.host import Name
from rostrum.gateway.local.methods import Invocation


class _SentText(msgspec.Struct, frozen=True):
    link: Name
    messages: list[Raw]


_texts = msgspec.json.Decoder(_SentText)
_messages: msgspec.json.Decoder[FromPlatform] = msgspec.json.Decoder(FromPlatform)


class SendCall:
    """A call whose messages are read in several turns if they are large."""

    def __init__(self, sent: Sent | _SentText, size: int) -> None:
        self.link = sent.link
        self.count = len(sent.messages)
        self.size = size
        self._messages = sent.messages

    @classmethod
    def of(cls, invocation: Invocation) -> "SendCall":
        """Read the arguments; raise DecodeError if they are invalid."""
        if invocation.text is None:
            return cls(msgspec.convert(invocation.arguments, Sent), 0)
        return cls(_texts.decode(invocation.text), memoryview(invocation.text).nbytes)

    async def read(self, work: UserWork) -> AsyncIterator[FromPlatform]:
        """Read the messages, one at a time: all of them together would take twice the memory."""
        for message in self._messages:
            yield _messages.decode(message) if isinstance(message, Raw) else message
            await work.pause(memoryview(message).nbytes if isinstance(message, Raw) else 0)
