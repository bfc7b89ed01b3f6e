"""The API does what its OpenAPI document says, for input that fits the document and for input that does not."""

import asyncio
import base64
import re
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from copy import deepcopy
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.access.identity import Identity
from rostrum.manager.batches import topic as batches_topic
from rostrum.manager.batches.model import Batch
from rostrum.manager.batches.service import BatchService
from rostrum.manager.command_runs import service as command_runs
from rostrum.manager.kinds import BATCH_KINDS
from rostrum.manager.rollouts import service as rollouts
from rostrum.manager.server import new_loop
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.long_form import LONG
from tests.manager.http.batch_actions import REMOVALS
from tests.manager.http.openapi_document import DOCUMENT
from tools.generated_input import STORED_INPUT, generate_input, parse_input, readable_schema

ADDRESS = "http://manager.example.com"
PART = 10
"""Documents in one transaction of a batch."""


STORED: dict[str, Any] = parse_input(STORED_INPUT.read_text(encoding="utf-8"))
OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}
WITH_KEYS = sorted(name for name, (_, path) in OPERATIONS.items() if "{" in path)


if TYPE_CHECKING:
    from schemathesis import Case


@cache
def schema() -> Any:
    """Load schemathesis when it is used: all processes of the tests load this file, and few of them execute it."""
    return readable_schema(DOCUMENT)


@cache
def checks() -> list[Any]:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_headers_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    return [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_headers_conformance,
        response_schema_conformance,
    ]


class WaitingBatches(BatchService):
    """Batches of several parts that stay as they are: each of them can be cancelled and resumed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, part=PART)

    def start(self, identity: Identity, batch: Batch) -> None:
        pass


class Server:
    """A manager in this process that answers synchronously, because schemathesis asks so."""

    def __init__(self, runner: asyncio.Runner, api: Api) -> None:
        self._loop = runner.get_loop()
        self._numbers = count(1)
        self.admin = api.client(ADMIN)
        self.nobody = api.client()

    def call(self, case: "Case[Any]") -> httpx.Response:
        """Send what schemathesis made up, as the administrator."""
        from requests import Request

        request = Request(**case.as_transport_kwargs(base_url=ADDRESS)).prepare()
        # The library gives text, though its types allow bytes.
        headers = [(name.encode(), str(text).encode("latin-1")) for name, text in request.headers.items()]
        return self.send(request.method or "", request.url or "", content=request.body, headers=headers)

    def send(self, method: str, url: str, client: httpx.AsyncClient | None = None, **options: Any) -> httpx.Response:
        if method == "GET" and url.startswith(f"{ADDRESS}/api/events"):
            # A stream of events has no end; its head has all that is compared here.
            head = self._loop.run_until_complete(_send(client or self.admin, "HEAD", url, options))
            if head.status_code == 200:
                return head
        return self._loop.run_until_complete(_send(client or self.admin, method, url, options))

    def new(self, url: str, key: str, **options: Any) -> str:
        """Make a document, and give its key."""
        answer = self.send("POST", url, **options)
        assert answer.status_code == 201, answer.text
        return str(answer.json()[key])

    def number(self) -> int:
        return next(self._numbers)


async def _send(client: httpx.AsyncClient, method: str, url: str, options: dict[str, Any]) -> httpx.Response:
    request = client.build_request(method, url, **options)
    # The checks look at the request again.
    await request.aread()
    return await client.send(request)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = f"sqlite:///{tmp_path_factory.mktemp('conformance')}/rostrum.db"
    # Generated requests make more of everything than one user may have.
    kinds = ("sessions", "keptSessions", "machines", "preferences", "layouts", "feedback", "crashes")
    approved = {"approvalKinds": ["group"], "approvalGroups": ["Guarded"], "approverHours": 0}
    # No other node changes anything: looking for such changes takes as long as many requests.
    config = manager_config(store, quotas=dict.fromkeys(kinds, -1), changes=approved, events={"poll": 60_000})
    with asyncio.Runner(loop_factory=new_loop) as runner, pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches_topic, "BatchService", WaitingBatches)
        for service in (command_runs, rollouts):
            # The clock stands still: looking again finds nothing new. Requests still wake these services.
            patch.setattr(service, "_LOOK_SECONDS", 3600)
        stack = AsyncExitStack()
        api = runner.run(stack.enter_async_context(running_api(config, SettableClock())))
        yield Server(runner, api)
        runner.run(stack.aclose())


def new_user(server: Server) -> str:
    return server.new("/admin/users", "id", json={"id": f"user/{server.number()} ä", "password": "secret word"})


def new_group(server: Server) -> str:
    return server.new("/admin/groups", "name", json={"name": f"group/{server.number()} ä"})


def new_app(server: Server) -> str:
    definition = {"name": f"app/{server.number()} ä", "type": "window", "details": {"url": "https://example.com"}}
    return server.new("/admin/apps", "name", json={"definition": definition, "public": True})


def new_directory(server: Server) -> str:
    return server.new("/admin/directories", "id", json={"user": "admin"})


def new_view(server: Server) -> str:
    return server.new("/admin/views", "id", json={"list": "users", "name": f"view {server.number()}", "search": "q=a"})


def new_token(server: Server) -> str:
    body = {"name": f"token {server.number()}", "permissions": ["PLATFORM_MANAGER:APPS:READ"], "expiresInDays": 1}
    return server.new("/me/tokens", "id", json=body)


def new_directory_key(server: Server) -> str:
    path = server.new("/admin/directories", "path", json={"user": "admin"})
    return path.split("/")[3]


def new_layout(server: Server) -> str:
    definition = {"name": f"layout {server.number()}", "type": "Global", "components": []}
    return server.new("/admin/layouts", "id", json={"definition": definition, "owner": "admin"})


def new_preference(server: Server) -> str:
    body = {"user": "admin", "app": f"app {server.number()}", "data": {"a": 1}}
    return server.new("/admin/prefs", "id", json=body)


def new_preferences_of_app(server: Server) -> str:
    app = f"app/{server.number()} ä"
    assert server.send("POST", "/prefs", json={"app": app, "data": {"a": 1}}).status_code == 201
    return app


def new_config(server: Server) -> str:
    body = {"file": "system.json", "group": f"group {server.number()}", "contents": {"a": {"b": 1}}}
    return server.new("/admin/configs", "id", json=body)


def new_session(server: Server) -> str:
    return server.new("/sessions", "id", json={"machine": {"name": "pc"}, "version": "10.1"})


def new_machine(server: Server) -> str:
    return server.new("/sessions", "machine", json={"machine": {"id": f"pc/{server.number()}", "os": "x"}})


def new_command(server: Server, session: str | None = None) -> str:
    body = {"session": session or new_session(server), "command": "Restart"}
    answer = server.send("POST", "/admin/commands", json=body)
    return str(answer.json()["items"][0]["id"])


def new_crash(server: Server) -> str:
    answer = server.send(
        "POST", "/crashes", data={"_productName": "x", "ä": "🙂"}, files={"upload_file_minidump": b"MDMP"}
    )
    assert answer.status_code == 200, answer.text
    return answer.text


def new_crash_group(server: Server) -> str:
    new_crash(server)
    return str(server.send("GET", "/admin/crash-groups?limit=1").json()["items"][0]["id"])


def new_feedback(server: Server) -> str:
    return server.new("/feedback", "id", data={"description": "good"}, files={"attachment": ("a.zip", b"PK")})


def new_batch(server: Server, kind: str, *, finished: bool) -> str:
    # A batch of one part is finished when the request is answered.
    ids = [f"x{number}" for number in range(1 if finished else 2 * PART)]
    body = {"key": f"k{server.number()}", "action": REMOVALS[BATCHES[kind]], "ids": ids}
    return server.new(f"/admin/batches/{kind}", "id", json=body)


def newest_revision(server: Server) -> str:
    return str(server.send("GET", "/admin/audit?limit=1&sort=-revision").json()["items"][0]["revision"])


def newest_entry(server: Server) -> str:
    return str(server.send("GET", "/admin/audit?limit=1").json()["items"][0]["number"])


def new_run(server: Server) -> str:
    for waiting in server.send("GET", "/admin/commands/runs?status=scheduled").json()["items"]:
        # Each change to a run makes the server look at all that have not ended.
        server.send("POST", f"/admin/commands/runs/{waiting['id']}/cancel")
    # One that has not started can be paused and cancelled, and waits for nobody.
    body = {"key": f"k{server.number()}", "command": "Restart", "target": {"filter": {}}}
    return server.new("/admin/commands/runs", "id", json={**body, "startAt": "2026-06-01T00:00:00Z"})


def new_proposal(server: Server) -> str:
    author = f"author-{server.number()}"
    body: dict[str, Any] = {"id": author, "password": "author-password", "groups": ["PLATFORM_SERVER_ADMIN"]}
    server.new("/admin/users", "id", json=body)
    body = {"name": f"guarded-{server.number()}", "expandsTo": ["Guarded"]}
    basic = base64.b64encode(f"{author}:author-password".encode()).decode()
    headers = {"Authorization": f"Basic {basic}"}
    answer = server.send("POST", f"{ADDRESS}/api/admin/groups", server.nobody, json=body, headers=headers)
    assert answer.status_code == 202, answer.text
    # Others use this client without credentials.
    server.nobody.cookies.clear()
    return str(answer.json()["proposal"]["id"])


def new_rollout(server: Server, kind: str) -> str:
    path = f"/admin/rollouts/{kind}"
    for open_one in server.send("GET", f"{path}?status=running").json()["items"]:
        # The number of roll-outs that have not ended is limited.
        server.send("POST", f"{path}/{open_one['id']}/withdraw")
    if kind == "apps":
        key = new_app(server)
        content: dict[str, Any] = {"name": key, "type": "window", "details": {"url": "https://example.com/new"}}
    elif kind == "layouts":
        definition = {"name": f"layout {server.number()}", "type": "Global", "components": []}
        key = server.new("/admin/layouts", "id", json={"definition": definition, "owner": "*"})
        content = {**definition, "metadata": {"a": 1}}
    else:
        key, content = new_config(server), {"a": {"b": 2}}
    stages = [{"percent": 10, "duration": None}, {"percent": 20, "duration": None}]
    return server.new(path, "id", json={"key": key, "content": content, "stages": stages})


NEW: dict[str, Callable[[Server], str]] = {
    "app_id": new_app,
    "app_name": new_app,
    "command_id": new_command,
    "config_id": new_config,
    "crash_id": new_crash,
    "directory_id": new_directory,
    "view_id": new_view,
    "directory_key": new_directory_key,
    "entry_number": newest_entry,
    "feedback_id": new_feedback,
    "group_id": new_crash_group,
    "group_name": new_group,
    "layout_id": new_layout,
    "machine_id": new_machine,
    "preference_app": new_preferences_of_app,
    "preference_id": new_preference,
    "proposal_id": new_proposal,
    "revision": newest_revision,
    "run_id": new_run,
    "session_id": new_session,
    "token_id": new_token,
    "user_id": new_user,
}


DOCUMENTS = {
    "apps": "app_name",
    "configs": "config_id",
    "groups": "group_name",
    "layouts": "layout_id",
    "prefs": "preference_id",
    "users": "user_id",
}
"""What the part of an address after /admin/ calls the key of its documents."""


BATCHES = {facts.path.removeprefix("/admin/"): facts.operations for facts in BATCH_KINDS.values()}
"""The names of kinds in operation IDs, by what the part of an address after /admin/batches/ calls them."""


def existing(server: Server, path: str) -> dict[str, str]:
    """Make everything that a path names."""
    keys: dict[str, str] = {}
    for name in re.findall(r"{(\w+)}", path):
        if name == "command_id" and "session_id" in keys:
            keys[name] = new_command(server, keys["session_id"])
        elif name == "rollout_id":
            keys[name] = new_rollout(server, path.split("/")[4])
        elif name == "batch_id":
            keys[name] = new_batch(server, path.split("/")[4], finished=not path.endswith(("/cancel", "/resume")))
        else:
            keys[name] = NEW[DOCUMENTS[path.split("/")[3]] if name == "document_id" else name](server)
    if path.endswith("{rollout_id}/resume"):
        halted = path.replace("/resume", "/halt").removeprefix("/api").format(**keys)
        assert server.send("POST", halted).status_code == 200
    if path.endswith("/continue"):
        assert server.send("POST", f"/admin/commands/runs/{keys['run_id']}/pause").status_code == 200
    return keys


def cases(operation_id: str, validity: str) -> "list[Case[Any]]":
    """Input of an operation that fits the document, or that does not.

    The file has the simplest input and another one of each kind; the long form generates more. test_bad_input.py has
    every fault of bodies, keys, parameters and headers.
    """
    operation = schema().find_operation_by_id(operation_id)
    stored = STORED["input"][STORED["operations"][operation_id]]
    given = generate_input(schema(), operation_id, validity, LONG) if LONG else stored[validity]
    return [operation.Case(**deepcopy(parts)) for parts in given]


MOST = pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.long, id="all")])
"""One case of each kind is usual."""


def check(operation_id: str, answer: httpx.Response) -> None:
    """Compare an answer with what the document says."""
    operation = schema().find_operation_by_id(operation_id)
    names = re.findall(r"{(\w+)}", OPERATIONS[operation_id][1])
    operation.Case(path_parameters=dict.fromkeys(names, "x")).validate_response(answer, checks=checks())


def test_every_operation_is_tried() -> None:
    assert len(OPERATIONS) == sum(len(item) for item in DOCUMENT["paths"].values()) > 90
    named = {name for _, path in OPERATIONS.values() for name in re.findall(r"{(\w+)}", path)}
    assert named == {*NEW, "document_id", "batch_id", "rollout_id"}
    assert STORED["operations"].keys() == OPERATIONS.keys()


@pytest.mark.rule("R-4-1", "X-D-16")
@pytest.mark.parametrize("operation_id", sorted(OPERATIONS))
@MOST
def test_every_answer_is_as_documented(server: Server, operation_id: str, most: int | None) -> None:
    fitting = cases(operation_id, "valid")
    assert fitting
    for case in (*fitting[:most], *cases(operation_id, "invalid")[:most]):
        case.validate_response(server.call(case), checks=checks())


@pytest.mark.usual(60)
@pytest.mark.rule("R-7-1", "X-D-16")
@pytest.mark.parametrize("operation_id", WITH_KEYS)
@MOST
def test_every_answer_about_something_that_exists_is_as_documented(
    server: Server, operation_id: str, most: int | None
) -> None:
    path = OPERATIONS[operation_id][1]
    seen: set[int] = set()
    for case in cases(operation_id, "valid")[:most]:
        # Without conditions: made-up ETags would stop every request before it reaches the document.
        case.headers.clear()
        case.path_parameters = {name: quote(key, safe="") for name, key in existing(server, path).items()}
        answer = server.call(case)
        assert answer.status_code != 404
        seen.add(answer.status_code)
        case.validate_response(answer, checks=checks())
    # The simplest input may name a revision that the document does not have.
    assert seen & {200, 201, 204, 400} or most


@pytest.mark.usual(40)
@pytest.mark.parametrize("operation_id", sorted(name for name in WITH_KEYS if OPERATIONS[name][0] in ("GET", "DELETE")))
def test_what_exists_is_read_and_deleted(server: Server, operation_id: str) -> None:
    method, path = OPERATIONS[operation_id]
    keys = existing(server, path)
    url = path.format(**{name: quote(key, safe="") for name, key in keys.items()})

    first = server.send(method, ADDRESS + url)
    again = server.send(method, ADDRESS + url)

    ended_twice = {"closeSession", "endSession"}
    assert first.status_code == (200 if method == "GET" else 204)
    assert again.status_code == (first.status_code if method == "GET" or operation_id in ended_twice else 404)
    for answer in (first, again):
        check(operation_id, answer)


@pytest.mark.parametrize("operation_id", ["sendCrash", "sendFeedback"])
@pytest.mark.parametrize(
    "form",
    [
        {"data": {"description": "x", "_productName": "y"}, "files": {"upload_file_minidump": b"MDMP"}},
        {"data": {"description": "x"}, "files": {"attachment": b""}},
        {"files": {"description": (None, "just text")}},
        {"files": [("attachment", b"1"), ("attachment", b"2")]},
        {"data": {"description": "x"}},
        {"json": {"description": "x"}},
        {"content": b"x", "headers": {"Content-Encoding": "br"}},
        {},
    ],
    ids=["dump", "attachment", "text", "two files", "urlencoded", "json", "brotli", "nothing"],
)
def test_forms_are_answered_as_documented(server: Server, operation_id: str, form: dict[str, Any]) -> None:
    method, path = OPERATIONS[operation_id]
    answer = server.send(method, ADDRESS + path, **form)

    assert answer.status_code in (200, 201, 400, 415)
    check(operation_id, answer)


@pytest.mark.parametrize("operation_id", sorted(OPERATIONS))
def test_without_credentials_only_public_operations_are_answered(server: Server, operation_id: str) -> None:
    method, path = OPERATIONS[operation_id]
    operation = DOCUMENT["paths"][path][method.lower()]
    url = ADDRESS + re.sub(r"{\w+}", "x", path)
    answer = server.send(method, url, server.nobody)

    if operation.get("security") == [{}]:
        # Without its body, a write is refused for its form and not for its credentials.
        assert answer.status_code == (404 if "{" in path else 400 if "requestBody" in operation else 200)
    else:
        assert answer.status_code == 401
        assert "realm" in answer.headers["www-authenticate"]
    check(operation_id, answer)


@pytest.mark.usual(60)
@pytest.mark.parametrize("path", sorted(DOCUMENT["paths"]))
def test_methods_that_are_not_documented_are_not_served(server: Server, path: str) -> None:
    documented = {method.upper() for method in DOCUMENT["paths"][path]}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - documented:
        answer = server.send(method, ADDRESS + re.sub(r"{\w+}", "x", path))
        assert answer.status_code == 405, method
        assert answer.json()["error"]["code"] == 405
        assert documented <= set(answer.headers["allow"].replace(" ", "").split(","))


@pytest.mark.usual(30)
@pytest.mark.parametrize("operation_id", sorted(name for name in WITH_KEYS if OPERATIONS[name][0] == "GET"))
def test_the_etag_of_an_answer_gets_a_304_and_no_body(server: Server, operation_id: str) -> None:
    _, path = OPERATIONS[operation_id]
    if "304" not in DOCUMENT["paths"][path]["get"]["responses"]:
        return
    keys = existing(server, path)
    url = ADDRESS + path.format(**{name: quote(key, safe="") for name, key in keys.items()})
    etag = server.send("GET", url).headers["etag"]
    answer = server.send("GET", url, headers={"If-None-Match": etag})

    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", etag)
    check(operation_id, answer)


@pytest.mark.usual(60)
@pytest.mark.parametrize("operation_id", sorted(OPERATIONS))
def test_a_condition_that_fails_is_a_documented_412(server: Server, operation_id: str) -> None:
    method, path = OPERATIONS[operation_id]
    operation = DOCUMENT["paths"][path][method.lower()]
    conditional = "If-Match" in [parameter["name"] for parameter in operation.get("parameters", [])]
    assert conditional == ("412" in operation["responses"])
    if conditional and method == "DELETE":
        keys = existing(server, path)
        url = ADDRESS + path.format(**{name: quote(key, safe="") for name, key in keys.items()})
        answer = server.send(method, url, headers={"If-Match": '"999999"'})
        assert answer.status_code == 412
        check(operation_id, answer)


def test_the_document_is_served_without_credentials(server: Server) -> None:
    answer = server.send("GET", "/openapi.json", server.nobody)

    assert answer.status_code == 200
    assert answer.json() == DOCUMENT


def test_names_in_the_document_are_the_names_on_the_wire() -> None:
    names = {name for schema in DOCUMENT["components"]["schemas"].values() for name in schema.get("properties", {})}

    assert {"accessList", "createdBy", "expandsTo", "lastSeen", "newName"} <= names
    assert not [name for name in names if "_" in name]


def test_bodies_that_may_be_left_out_are_not_required() -> None:
    def required(method: str, path: str) -> bool:
        body = DOCUMENT["paths"][f"/api{path}"][method]["requestBody"]
        return bool(body["required"])

    assert not required("delete", "/prefs")
    assert not required("post", "/systemConfig/get")
    assert not required("patch", "/sessions/{session_id}")
    assert required("post", "/admin/users")
