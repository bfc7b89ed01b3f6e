"""ManagerRequest: the framework's request, hardened for hostile bodies, and who sent it."""

from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict, State

from rostrum.base import json_text
from rostrum.base.aside import aside
from rostrum.base.errors import Invalid
from rostrum.manager.auth.caller import Caller
from rostrum.manager.permissions.identity import Identity

__all__ = ["ManagerRequest"]


class ManagerRequest(Request[Identity, Caller, State]):
    """A request whose ``user`` is the identity and whose ``auth`` is the caller."""

    async def json(self) -> Any:
        """Read the body as JSON with our own limits and words."""
        body = await self.body()
        return await aside(len(body), json_text.parse, body)

    async def form(self) -> FormMultiDict:
        """Read a form; text that is not what it says it is, is the sender's mistake."""
        try:
            form = await super().form()
            for name, value in form.multi_items():
                # Some encodings give halves of surrogate pairs, which no database keeps.
                (name + value if isinstance(value, str) else name).encode()
        except (UnicodeError, LookupError):
            raise Invalid("a field of the form is not text in the encoding it names") from None
        return form
