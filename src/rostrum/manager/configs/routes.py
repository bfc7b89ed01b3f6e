"""Configuration files: routes for clients, and for administrators."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Response, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter, QueryParameter

from rostrum.base.errors import Invalid
from rostrum.base.json_text import raw
from rostrum.base.problems import Problem
from rostrum.contracts.system_config import (
    ConfigChange,
    ConfigDocument,
    ConfigList,
    ConfigValidation,
    ConfigView,
    FileContents,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.config import ManagerConfig
from rostrum.manager.configs.checks import problem_view
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.service import NOBODY, RequestedScope, SystemConfigService
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.cacheable_routes import CacheableRoute
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, document, expected_revisions, nothing
from rostrum.manager.topic import Routes

ConfigKey = Annotated[str, PathParameter(description="The ID of the configuration file.", max_length=64)]
Asked = Annotated[str | None, QueryParameter(max_length=256)]

_QUESTION_HEADERS = ("impersonated_user", "impersonation", "identifier", "group", "version", "configs", "config")
"""The headers that a response depends on, in addition to the credentials and the header ``user``."""

_MEMBERS = ("user", "group", "version")
_NESTED = ("impersonation", "identifier")
_ALL = "*"
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,122}\.json")


@get(
    "/systemConfig/get",
    operation_id="getSystemConfig",
    tags=["client"],
    **answers(200, dict[str, FileContents], 304, 403, 404),
)
async def get_system_config(
    request: ManagerRequest,
    configs: Part[SystemConfigService],
    *,
    user: Asked = None,
    group: Asked = None,
    version: Asked = None,
    files: Annotated[str | None, QueryParameter(name="configs", max_length=4096)] = None,
) -> Response[Any]:
    """Return the configuration files of the caller, each merged from all scopes."""
    return await _answer(request, configs, {"user": user, "group": group, "version": version, "configs": files})


@post(
    "/systemConfig/get",
    operation_id="postSystemConfig",
    tags=["client"],
    opt={PUBLIC: lambda config: bool(config.configs_anonymous)},
    **answers(200, dict[str, FileContents], 304, 403, 404, 413),
)
async def post_system_config(
    request: ManagerRequest,
    configs: Part[SystemConfigService],
    config: Part[ManagerConfig],
    data: JSONBody[dict[str, Any] | None] = None,
) -> Response[Any]:
    """Return the configuration files of the caller, each merged from all scopes.

    `user`, `group` and `version` can be members of the body, or of its members `impersonation` and `identifier`.
    With the `user` `*`, only files of the base scope and of the version are merged. Requests without credentials are
    answered in this way, but only for the files that the setting `configs.anonymous` names.
    """
    if request.scope["user"] is None:
        return await _answer_anonymous(request, configs, config, data or {})
    return await _answer(request, configs, data or {})


@get(
    "/admin/configs",
    operation_id="listConfigs",
    tags=["configs"],
    **answers(200, ConfigList, 304, 403, right=Permission.SYSTEM_CONFIGS_READ),
)
async def list_configs(request: ManagerRequest, configs: Part[SystemConfigService], wanted: Wanted) -> Response[Any]:
    """List configuration files; filters: id, file, scope, target, version, group, user."""
    page = await configs.page(request.user, wanted)
    return answer(request, page_view(page, ConfigFile.as_json))


@post(
    "/admin/configs",
    operation_id="createConfig",
    tags=["configs"],
    **answers(201, ConfigView, 403, 409, 413, right=Permission.SYSTEM_CONFIGS_WRITE),
)
async def create_config(
    request: ManagerRequest, configs: Part[SystemConfigService], data: JSONBody[ConfigDocument]
) -> Response[Any]:
    """Create a configuration file in a scope. Validation problems are returned as `problems`."""
    config = await configs.create(request.user, data)
    return created(await _view(configs, config), config.stamp.revision, f"{request.url.path}/{config.id}")


@post(
    "/admin/configs/validate",
    operation_id="validateConfig",
    tags=["configs"],
    **answers(200, ConfigValidation, 403, 413, right=Permission.SYSTEM_CONFIGS_READ),
)
async def validate_config(
    request: ManagerRequest, configs: Part[SystemConfigService], data: JSONBody[ConfigDocument]
) -> Response[Any]:
    """Validate the contents of a configuration file without saving them."""
    problems = await configs.validate(request.user, data)
    body = {"checked": problems is not None, "problems": [problem_view(problem) for problem in problems or ()]}
    return answer(request, body)


@get(
    "/admin/configs/{config_id:str}",
    operation_id="readConfig",
    tags=["configs"],
    **answers(200, ConfigView, 304, 403, 404, right=Permission.SYSTEM_CONFIGS_READ),
)
async def read_config(
    request: ManagerRequest, configs: Part[SystemConfigService], config_id: ConfigKey
) -> Response[Any]:
    """Read a configuration file."""
    config = await configs.get(request.user, config_id)
    return document(request, await _view(configs, config), config.stamp.revision)


@put(
    "/admin/configs/{config_id:str}",
    operation_id="replaceConfig",
    tags=["configs"],
    **answers(200, ConfigView, 403, 404, 409, 412, 413, right=Permission.SYSTEM_CONFIGS_WRITE),
)
async def replace_config(
    request: ManagerRequest, configs: Part[SystemConfigService], config_id: ConfigKey, data: JSONBody[ConfigDocument]
) -> Response[Any]:
    """Replace a configuration file; it may move to another scope."""
    config = await configs.replace(request.user, config_id, data, expected_revisions(request))
    return document(request, await _view(configs, config), config.stamp.revision)


@patch(
    "/admin/configs/{config_id:str}",
    operation_id="changeConfig",
    tags=["configs"],
    **answers(200, ConfigView, 403, 404, 412, 413, right=Permission.SYSTEM_CONFIGS_WRITE),
)
async def change_config(
    request: ManagerRequest, configs: Part[SystemConfigService], config_id: ConfigKey, data: JSONBody[ConfigChange]
) -> Response[Any]:
    """Change the contents of a configuration file."""
    config = await configs.change(request.user, config_id, data, expected_revisions(request))
    return document(request, await _view(configs, config), config.stamp.revision)


@delete(
    "/admin/configs/{config_id:str}",
    operation_id="deleteConfig",
    tags=["configs"],
    **answers(204, None, 403, 404, 412, right=Permission.SYSTEM_CONFIGS_WRITE),
)
async def delete_config(
    request: ManagerRequest, configs: Part[SystemConfigService], config_id: ConfigKey
) -> Response[None]:
    """Delete a configuration file."""
    await configs.remove(request.user, config_id, expected_revisions(request))
    return nothing()


async def _view(configs: Part[SystemConfigService], config: ConfigFile) -> dict[str, Any]:
    problems = await configs.problems(config)
    view = config.as_json()
    return view if problems is None else {**view, "problems": [problem_view(problem) for problem in problems]}


async def _answer(
    request: ManagerRequest, configs: Part[SystemConfigService], asked: Mapping[str, Any]
) -> Response[Any]:
    found, names = await _question(request, asked)
    if found["user"] is None:
        found["user"] = await _named_in_header(request, configs)
    everything = _ALL in names
    merged = await configs.effective(request.user, RequestedScope(**found), () if everything else names)
    body = {name: {"contents": raw(text)} for name, text in merged.items() if everything or name in names}
    return answer(request, body, is_question=True)


async def _answer_anonymous(
    request: ManagerRequest, configs: Part[SystemConfigService], config: Part[ManagerConfig], asked: Mapping[str, Any]
) -> Response[Any]:
    """Return the files that may be read without credentials; all others require a sign-in."""
    found, names = await _question(request, asked)
    if any(found[name] not in (None, NOBODY) for name in ("user", "group")):
        raise Unauthenticated
    wanted = [name for name in config.configs_anonymous if _ALL in names or name in names]
    if not wanted:
        raise Unauthenticated
    merged = await configs.for_nobody(found["version"] or "", wanted)
    return answer(request, {name: {"contents": raw(merged[name])} for name in wanted}, is_question=True)


async def _question(request: ManagerRequest, asked: Mapping[str, Any]) -> tuple[dict[str, str | None], list[str]]:
    """Read the requested user, group, version and files."""
    headers = {name: request.headers.get(name) for name in _QUESTION_HEADERS}
    query = request.query_params
    places = [
        *[await _inside(request, place, name) for place in (asked, query, headers) for name in _NESTED],
        asked,
        query,
        {**headers, "user": headers["impersonated_user"]},
    ]
    found = {name: _text(name, *(place.get(name) for place in places)) for name in _MEMBERS}
    wanted = _text("configs", asked.get("configs"), query.get("configs"), headers["configs"], headers["config"])
    return found, _file_names(wanted or _ALL)


async def _named_in_header(request: ManagerRequest, configs: Part[SystemConfigService]) -> str | None:
    """Return the user in the header ``user``, if that user exists and the caller may read the user's configuration.

    Desktops send the account of the machine in this header with every request. If the manager does not know it, or the
    caller may not read it, the header is ignored, and the caller's own configuration is returned.
    """
    name = _text("user", request.headers.get("user"))
    return name if name is not None and await configs.may_ask_for(request.user, name) else None


def _file_names(wanted: str) -> list[str]:
    """Read the names of the requested files. Older clients omit the extension, so it is added."""
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    names = [name if name == _ALL or name.endswith(".json") else f"{name}.json" for name in names]
    wrong = [name for name in names if name != _ALL and not _FILE_NAME.fullmatch(name)]
    if wrong:
        problems = [
            Problem(path="configs", message=f"{name!r} is not a valid name; use a name such as system.json")
            for name in wrong
        ]
        raise Invalid("the request has problems", problems[:20])
    return names


async def _inside(request: ManagerRequest, asked: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Read a member that is an object or the JSON text of an object; other text is ignored."""
    value = asked.get(name)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = await request.parse_json(value)
    if value is None or isinstance(value, str):
        return {}
    if not isinstance(value, dict):
        raise Invalid("the request has problems", [Problem(path=name, message="must be an object")])
    return value


def _text(name: str, *values: Any) -> str | None:
    for value in values:
        if value is None or value == "":
            continue
        if not isinstance(value, str) or "\0" in value or len(value) > 4096:
            raise Invalid(
                "the request has problems", [Problem(path=name, message="must be text of at most 4096 characters")]
            )
        return value
    return None


_CACHED = CacheableRoute(
    topics=(ContentTopic.CONFIGS, ContentTopic.PEOPLE),
    is_shared=True,
    may_ask=True,
    methods=frozenset({"GET", "HEAD", "POST"}),
    headers=(b"content-type", *(name.encode() for name in _QUESTION_HEADERS)),
    right_for_user=Permission.SYSTEM_CONFIGS_READ,
)

ROUTES = Routes(
    (
        get_system_config,
        post_system_config,
        list_configs,
        create_config,
        validate_config,
        read_config,
        replace_config,
        change_config,
        delete_config,
    ),
    cached={"/systemConfig/get": _CACHED},
)
