"""API tokens of the caller, and of all users for administrators."""

from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.api_tokens import NewApiToken, NewUserApiToken
from rostrum.manager.access.permissions import Permission
from rostrum.manager.api_tokens.topic import ApiToken, ApiTokenService
from rostrum.manager.http.authentication import SIGNED_IN
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import ALWAYS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, nothing
from rostrum.manager.records import as_json, list_view, view
from rostrum.manager.topic import Routes

_TAGS = ["API tokens"]
_VIEW = view(ApiToken, "ApiTokenView", "An API token, without its secret part.")
_LIST = list_view(_VIEW, "ApiTokenList", "One page of API tokens.")
_CREATED = view(
    ApiToken,
    "NewApiTokenView",
    "An API token that was just created.",
    token=(str, "The token. It is a secret, and only answered here."),
)
_SIGNED_IN = {SIGNED_IN: True}

TokenId = Annotated[str, PathParameter(description="The id of the API token.", max_length=64)]


@get("/me/tokens", operation_id="listOwnTokens", tags=_TAGS, **answers(200, _LIST, 304))
async def list_own_tokens(request: ManagerRequest, api_tokens: Part[ApiTokenService], wanted: Wanted) -> Response[Any]:
    """List the API tokens of the caller, without their secret parts; filter: name."""
    return answer(request, page_view(await api_tokens.own(request.user, wanted), as_json))


@post(
    "/me/tokens",
    operation_id="createOwnToken",
    tags=_TAGS,
    **answers(201, _CREATED, 403, 409, 413, confirmed=ALWAYS, opt=_SIGNED_IN),
)
async def create_own_token(
    request: ManagerRequest, api_tokens: Part[ApiTokenService], data: JSONBody[NewApiToken]
) -> Response[Any]:
    """Create an API token for the caller. The token is a secret that only this response contains.

    Cannot be called with an API token.
    """
    token, text = await api_tokens.create(request.user, request.user.user, data)
    return _created(request, token, text)


@delete(
    "/me/tokens/{token_id:str}",
    operation_id="revokeOwnToken",
    tags=_TAGS,
    opt=_SIGNED_IN,
    **answers(204, None, 403, 404),
)
async def revoke_own_token(
    request: ManagerRequest, api_tokens: Part[ApiTokenService], token_id: TokenId
) -> Response[None]:
    """Revoke an API token of the caller. Requests with it are refused from now on.

    Cannot be called with an API token.
    """
    await api_tokens.revoke_own(request.user, token_id)
    return nothing()


@get(
    "/admin/tokens",
    operation_id="listTokens",
    tags=_TAGS,
    **answers(200, _LIST, 304, 403, right=Permission.USERS_READ),
)
async def list_tokens(request: ManagerRequest, api_tokens: Part[ApiTokenService], wanted: Wanted) -> Response[Any]:
    """List the API tokens of all users, without their secret parts; filters: user, name."""
    return answer(request, page_view(await api_tokens.page(request.user, wanted), as_json))


@post(
    "/admin/tokens",
    operation_id="createToken",
    tags=_TAGS,
    **answers(201, _CREATED, 403, 409, 413, right=Permission.USERS_WRITE, confirmed=ALWAYS, opt=_SIGNED_IN),
)
async def create_token(
    request: ManagerRequest, api_tokens: Part[ApiTokenService], data: JSONBody[NewUserApiToken]
) -> Response[Any]:
    """Create an API token for a service account. The token is a secret that only this response contains.

    Requires the permissions of the service account. Cannot be called with an API token.
    """
    token, text = await api_tokens.create(request.user, data.user, data)
    return _created(request, token, text)


@delete(
    "/admin/tokens/{token_id:str}",
    operation_id="revokeToken",
    tags=_TAGS,
    **answers(204, None, 403, 404, right=Permission.USERS_WRITE),
)
async def revoke_token(request: ManagerRequest, api_tokens: Part[ApiTokenService], token_id: TokenId) -> Response[None]:
    """Revoke an API token of any user. Requests with it are refused from now on."""
    await api_tokens.revoke(request.user, token_id)
    return nothing()


def _created(request: ManagerRequest, token: ApiToken, text: str) -> Response[Any]:
    return created({**as_json(token), "token": text}, None, f"{request.url.path}/{token.id}")


ROUTES = Routes((list_own_tokens, create_own_token, revoke_own_token, list_tokens, create_token, revoke_token))
