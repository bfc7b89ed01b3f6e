"""ManagerRequest: the framework's request, hardened for hostile bodies, and who sent it."""

from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict, State

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.manager.auth.authenticator import Caller
from rostrum.manager.permissions.identity import Identity

__all__ = ["ManagerRequest"]


class ManagerRequest(Request[Identity, Caller, State]):
    """A request whose ``user`` is the identity and whose ``auth`` is the caller."""

    async def json(self) -> Any:
        """Read the body as JSON with our own limits and words."""
        return json_text.parse(await self.body())

    async def form(self) -> FormMultiDict:
        """Read a form; text that is not what it says it is, is the sender's mistake."""
        try:
            return await super().form()
        except (UnicodeDecodeError, LookupError):
            raise Invalid("a field of the form is not text in the encoding it names") from None
