"""Every operation of the OpenAPI document, called in every role, compared with one table of rights."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from rostrum.manager.access.permissions import Permission
from tests.conftest import ADMIN, Api
from tests.manager.http.openapi_document import DOCUMENT
from tests.manager.http.plain_requests import send
from tests.manager.http.rights_table import ADMINISTRATOR, ANYONE, IMPERSONATING, RIGHTS, UNDOCUMENTED, USER
from tests.manager.http.test_permissions import BODIES

SERVER = "http://manager.example.com"
METHODS = ("get", "post", "put", "patch", "delete")
ANN = ("ann", "ann-password")
STREAMS = {"listenForEvents"}
"""Never ends when it is allowed, so it is only called where it must be refused."""

SINGLE_RIGHTS = [permission.value.removeprefix("PLATFORM_MANAGER:") for permission in Permission]


def operations() -> Iterator[tuple[str, str, str, Any]]:
    """ID, method, address with x for every key, and a body, of each operation."""
    for path, item in DOCUMENT["paths"].items():
        address = "/".join("x" if part.startswith("{") else part for part in path.split("/"))
        for method in [method for method in METHODS if method in item]:
            content = item[method].get("requestBody", {}).get("content", {}).get("application/json")
            name = content["schema"].get("$ref", "").rpartition("/")[2] if content else ""
            # Bodies of admin operations are good ones: they are checked before the rights are.
            yield item[method]["operationId"], method, SERVER + address, BODIES.get(name, {}) if content else None


async def statuses(
    api: Api, user: tuple[str, str] | None, *more: tuple[bytes, bytes], refused: bool = False
) -> dict[str, int]:
    """Call every operation with additional headers; its status by its ID."""
    found = {}
    for name, method, address, body in operations():
        if refused or name not in STREAMS:
            content = b"" if body is None else json.dumps(body).encode()
            headers = [(b"content-length", str(len(content)).encode()), *more]
            if body is not None:
                headers.append((b"content-type", b"application/json"))
            target = address.removeprefix(SERVER).encode()
            found[name] = (await send(api, method.upper(), target, headers, [content], user=user)).status_code
    return found


def allowed(required: str, right: str | None) -> bool:
    """Return whether a user with one right, or with none, may call an operation."""
    if required in (ANYONE, USER):
        return True
    return right is not None and required in (right, right.replace(":WRITE", ":READ"))


def assert_as_in_the_table(found: dict[str, int], right: str | None) -> None:
    wrong = {
        name: status
        for name, status in found.items()
        if (status not in (401, 403) and status < 500) != allowed(RIGHTS[name], right)
    }
    assert wrong == {}
    # Known callers are refused, and never asked for credentials.
    assert 401 not in found.values()


async def test_every_operation_has_a_line_in_the_table(api: Api) -> None:
    assert [name for name, *_ in operations()] == list(dict.fromkeys(name for name, *_ in operations()))
    assert {name for name, *_ in operations()} == RIGHTS.keys()


def test_the_table_names_rights_that_exist(api: Api) -> None:
    assert set(RIGHTS.values()) <= {ANYONE, USER, ADMINISTRATOR, *SINGLE_RIGHTS}


async def test_every_address_is_documented_or_known(api: Api) -> None:
    documented = set(DOCUMENT["paths"])
    served = set(api.app.paths())
    page = {path for path in served if path.startswith(("/admin", "/platform", "/index", "/favicon")) or path == "/"}

    assert served - documented - page == UNDOCUMENTED.keys()
    for path in UNDOCUMENTED:
        assert (await api.client().get(SERVER + path.format(path="x"))).status_code in (200, 404)


async def test_without_credentials_only_what_is_for_anyone_is_answered(api: Api) -> None:
    found = await statuses(api, None, refused=True)

    assert {name for name, status in found.items() if status != 401} == {
        name for name, required in RIGHTS.items() if required == ANYONE
    }


@pytest.mark.long
async def test_a_regular_user_may_do_what_is_for_every_user(api: Api) -> None:
    await api.add_user(ANN[0], "Desk")

    assert_as_in_the_table(await statuses(api, ANN), None)


@pytest.mark.rule("R-1-10")
@pytest.mark.parametrize("right", SINGLE_RIGHTS)
async def test_one_right_gives_its_own_operations_and_no_other(api: Api, right: str) -> None:
    await api.add_user(ANN[0], f"PLATFORM_MANAGER:{right}")

    assert_as_in_the_table(await statuses(api, ANN), right)


@pytest.mark.long
@pytest.mark.rule("R-1-11")
async def test_an_administrator_may_do_everything(api: Api) -> None:
    found = await statuses(api, ADMIN)

    assert {name: status for name, status in found.items() if status in (401, 403) or status >= 500} == {}


@pytest.mark.long
async def test_naming_another_user_does_not_grant_that_users_permissions(api: Api) -> None:
    """Desktops name users in headers and parameters; only credentials show who is calling."""
    await api.add_user(ANN[0], "Desk")
    names = (b"user", b"impersonated_user", b"x-user", b"x-forwarded-user")

    found = await statuses(api, ANN, *((name, b"admin") for name in names))

    for name in IMPERSONATING:
        # It is not silently answered for the caller either.
        assert found.pop(name) == 403
    assert_as_in_the_table(found, None)


@pytest.mark.parametrize("right", [None, "SYSTEM_CONFIGS:READ", "USERS:WRITE"])
async def test_another_users_configuration_needs_the_right_to_read_configurations(api: Api, right: str | None) -> None:
    user = await api.add_user("ann", *([f"PLATFORM_MANAGER:{right}"] if right else []))
    await api.admin.post("/admin/groups", json={"name": "Others"})
    asked: list[dict[str, Any]] = [
        {"method": "GET", "url": "/systemConfig/get?user=admin"},
        {"method": "GET", "url": "/systemConfig/get", "headers": {"impersonated_user": "admin"}},
        {"method": "GET", "url": "/systemConfig/get?group=Others"},
        {"method": "POST", "url": "/systemConfig/get", "json": {"user": "admin"}},
        {"method": "POST", "url": "/systemConfig/get", "json": {"impersonation": {"user": "admin"}}},
        {"method": "POST", "url": "/systemConfig/get", "json": {"identifier": {"user": "admin"}}},
        {"method": "POST", "url": "/systemConfig/get", "json": {"identifier": '{"user": "admin"}'}},
        {"method": "POST", "url": "/systemConfig/get", "json": {"group": "Others"}},
    ]

    answers = [(await user.request(**one)).status_code for one in asked]

    assert answers == [200 if right == "SYSTEM_CONFIGS:READ" else 403] * len(asked)


@pytest.mark.long
async def test_callers_without_the_right_are_refused_before_anything_of_the_request_is_read(api: Api) -> None:
    user = await api.add_user("ann", "Desk")
    headers = {"content-type": "application/json", "if-match": "no tag"}
    found = {}
    for name, method, address, _ in operations():
        if RIGHTS[name] not in (ANYONE, USER):
            wrong = f"{address}?limit=many&sort=nothing&unknown=1".replace("/x", f"/{'x' * 300}")
            found[name] = (await user.request(method, wrong, content=b"{broken", headers=headers)).status_code

    assert found == dict.fromkeys(found, 403)
    assert found
