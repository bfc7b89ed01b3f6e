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

MEANING = {
    204: "Nothing newer than what the client knows.",
    304: "Nothing new since the ETag that was sent.",
    400: "The request has problems; details lists them.",
    401: "No valid credentials.",
    403: "Not allowed.",
    404: "There is no such thing.",
    409: "Something is in the way, or a quota is reached.",
    412: "It has changed since it was read.",
    413: "The body is too large.",
    415: "The body has a content type or an encoding that this operation does not accept.",
    429: "Too many attempts; Retry-After says when to come back.",
    503: "The database does not answer, or too many sign-ins wait.",
}

ANYONE: dict[str, Any] = {"security": [{}]}
"""For operations that require no credentials."""


def answers(
    status: int,
    view: Any,
    *errors: int,
    media_type: str = "application/json",
    right: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Declare the required right, the successful response and all refusals of an operation."""
    responses: dict[int, ResponseSpec] = {}
    common = () if more.get("security") == [{}] else (401, 429)
    for code in sorted({400, *common, *errors, 503}):
        if code in (204, 304):
            responses[code] = ResponseSpec(data_container=None, description=MEANING[code], generate_examples=False)
        else:
            responses[code] = ResponseSpec(data_container=ErrorView, description=MEANING[code], generate_examples=False)
    responses[status] = ResponseSpec(
        data_container=view, description="Fine.", generate_examples=False, media_type=media_type
    )
    declared: dict[str, Any] = {"status_code": status, "responses": responses, **more}
    if right is not None:
        declared["opt"] = {**more.get("opt", {}), RIGHT: right}
    if 412 in errors or 304 in errors:
        declared["response_headers"] = [
            ResponseHeader(name="ETag", description="Tag of what was answered.", documentation_only=True)
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
