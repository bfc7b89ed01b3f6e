"""The responses of each operation, for the OpenAPI document."""

from typing import Any

from litestar.datastructures import ResponseHeader
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Method
from litestar.types.internal_types import PathParameterDefinition

from rostrum.contracts.body import ErrorView

RIGHT = "right"
"""The option of a handler with the required right, which is checked before the request is read."""

ADMINISTRATION = "administration"
"""The option of an operation of administrators whose rights depend on the document, and are checked by the service."""

CONFIRMED = "confirmed"
"""The option of an operation that requires a confirmed identity: ``ALWAYS``, for ``RIGHTS`` or for ``COMMANDS``."""

ALWAYS = "always"
"""For operations that create credentials, approve changes or transfer all data: checked before the request is read."""

RIGHTS = "rights"
"""For changes that can set a password or give rights: the storage decides before it commits them."""

COMMANDS = "commands"
"""For commands that run code or are planned for later: the service decides."""

MEANING = {
    202: "Nothing was changed yet: the change requires the approval of a second administrator.",
    204: "There is nothing newer than the state that the client already has.",
    304: "Not changed since the version with the given ETag.",
    400: "The request is invalid; `details` lists the problems.",
    401: "The credentials are missing or invalid.",
    403: "The caller does not have the required permission.",
    404: "The requested object does not exist.",
    409: "The request conflicts with the current state, or a quota is reached.",
    412: "The object was changed after the version with the given ETag.",
    413: "The request body is too large.",
    415: "The content type or encoding of the request body is not supported.",
    429: "Too many requests or failed sign-ins; the header Retry-After contains the waiting time.",
    503: "The database does not respond, or too many sign-ins are waiting.",
}

UNCONFIRMED = (
    " Or the request has a session, and the caller must first confirm the own identity: the reason is "
    "`confirmation_required`."
)
"""The addition to the meaning of 403, for operations that require a confirmed identity."""

ANYONE: dict[str, Any] = {"security": [{}]}
"""For operations that require no credentials."""


def answers(
    status: int,
    view: Any,
    *errors: int,
    media_type: str = "application/json",
    right: str | None = None,
    confirmed: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Declare the required right, the successful response and all refusals of an operation."""
    responses: dict[int, ResponseSpec] = {}
    common = () if more.get("security") == [{}] else (401, 429)
    for code in sorted({400, *common, *errors, 503}):
        if code in (204, 304):
            responses[code] = ResponseSpec(data_container=None, description=MEANING[code], generate_examples=False)
        elif code == 403 and confirmed is not None:
            meaning = MEANING[403] + UNCONFIRMED
            responses[code] = ResponseSpec(data_container=ErrorView, description=meaning, generate_examples=False)
        else:
            responses[code] = ResponseSpec(data_container=ErrorView, description=MEANING[code], generate_examples=False)
    responses[status] = ResponseSpec(
        data_container=view, description="Success.", generate_examples=False, media_type=media_type
    )
    declared: dict[str, Any] = {"status_code": status, "responses": responses, **more}
    options = {name: value for name, value in ((RIGHT, right), (CONFIRMED, confirmed)) if value is not None}
    if options:
        declared["opt"] = {**more.get("opt", {}), **options}
    if 412 in errors or 304 in errors:
        declared["response_headers"] = [
            ResponseHeader(name="ETag", description="The version of the returned object.", documentation_only=True)
        ]
    return declared


class at_each_path:  # noqa: N801 - read as a word at the handlers
    """Create the IDs of an operation with several paths: the first path has the plain ID."""

    def __init__(self, name: str, first: str) -> None:
        self.name = name
        self._first = first

    def __call__(
        self, _handler: HTTPRouteHandler, _method: Method, components: list[str | PathParameterDefinition]
    ) -> str:
        """Create the ID of the operation for one path."""
        words = [str(component) for component in components]
        own = next((words[place:] for place, word in enumerate(words) if word in ("layouts", "default")), words)
        if "/" + "/".join(own) == self._first:
            return self.name
        return f"{self.name}At{''.join(word.title() for word in own)}"
