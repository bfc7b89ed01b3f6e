"""ManagerRequest: the framework's request with limits for untrusted bodies, and the decoding of bodies."""

from typing import Any

from litestar import Request
from litestar.config.app import AppConfig
from litestar.datastructures import FormMultiDict, State
from litestar.plugins import InitPlugin
from pydantic import ValidationError

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.offload import offload
from rostrum.contracts.body import Body
from rostrum.contracts.validation_messages import Inspection, problems_of
from rostrum.manager.access.identity import Identity
from rostrum.manager.auth.caller import Caller
from rostrum.manager.errors import UnsupportedMediaType
from rostrum.manager.http.dependencies import PARTS
from rostrum.manager.http.limits import wait_for_turn


class ManagerRequest(Request[Identity, Caller, State]):
    """A request whose ``user`` is the identity and whose ``auth`` is the caller."""

    async def json(self) -> Any:
        """Read the body as JSON, with our own limits and messages."""
        kind = self.content_type[0].lower()
        if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
            # Forms of any web page can send other types without asking the server first.
            raise UnsupportedMediaType("the body must have a JSON content type, such as application/json")
        return await self.parse_json(await self.body())

    async def parse_json(self, text: bytes | str) -> Any:
        """Read JSON of the request, in its body or inside another value."""
        await wait_for_turn(self.scope, text)
        limit: int = self.scope[PARTS]["config"].max_elements  # type: ignore[literal-required]
        return await offload(len(text), json_text.parse, text, max_elements=limit)

    async def form(self) -> FormMultiDict:
        """Read a form; text with a wrong encoding is an error of the client."""
        try:
            form = await super().form()
            for name, value in form.multi_items():
                # Some encodings produce unpaired surrogates, which databases cannot store.
                (name + value if isinstance(value, str) else name).encode()
        except (UnicodeError, LookupError):
            raise Invalid("a field of the form is not text in the encoding it names") from None
        return form


class BodyDecoding(InitPlugin):
    """Decodes bodies strictly and with our own messages."""

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        """Add the decoder of bodies."""
        app_config.type_decoders = [*(app_config.type_decoders or ()), (_is_body, _decode)]
        return app_config


def _is_body(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Body)


def _decode(kind: type[Body], value: Any) -> Body:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        notes = Inspection()
        notes.names[id(value)] = frozenset(field.alias or name for name, field in kind.model_fields.items())
        raise Invalid("the request has problems", problems_of(error, value, notes)) from None
