import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from rostrum import __version__
from tests.conftest import Api
from tests.manager.http.openapi_document import DOCUMENT

METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return DOCUMENT


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


@pytest.mark.long
@pytest.mark.rule("R-9-3")
async def test_the_document_is_served_to_everyone_and_again_only_when_asked_anew(api: Api) -> None:
    answer = await api.client().get("/openapi.json")

    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json()["openapi"].startswith("3.1")
    assert answer.json()["info"]["version"] == __version__
    assert answer.json() == api.app.openapi()
    same = await api.client().get("/openapi.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert same.status_code == 304


@pytest.mark.long
async def test_the_page_shows_every_operation_and_loads_nothing_from_elsewhere(api: Api) -> None:
    page = await api.client().get("/docs")

    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")
    for path in api.app.openapi()["paths"]:
        assert path in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    scripts = re.findall(r'<script src="([^"]+)"', page.text)
    assert scripts == ["/api/docs/try-it.js"]
    assert page.text.count("<script") == 1


async def test_the_policy_of_the_page_is_complete_and_allows_only_its_own_script_and_styles(api: Api) -> None:
    page = await api.client().get("/docs")

    [policy] = page.headers.get_list("Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", page.text, re.DOTALL)
    assert style is not None
    hashed = b64encode(sha256(style[1].encode()).digest()).decode()
    assert dict(part.strip().split(" ", 1) for part in policy.split(";")) == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'sha256-{hashed}'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert " style=" not in page.text


async def test_the_script_of_the_page_is_served_to_everyone(api: Api) -> None:
    script = await api.client().get("/docs/try-it.js")

    assert script.status_code == 200
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "fetch(" in script.text


@pytest.mark.rule("R-4-2")
def test_every_address_of_the_product_page_is_described(document: dict[str, Any]) -> None:
    admin = "users groups apps layouts prefs configs sessions machines commands crashes feedback"
    expected = {
        "GET /api/me",
        "POST /api/logout",
        "POST /api/token/refresh",
        "GET /api/apps",
        "GET /api/v2/apps",
        "GET /api/v2/apps/{app_id}",
        *(f"{method} /api/layouts" for method in ("GET", "POST", "PUT", "DELETE")),
        *(f"{method} /api/{path}" for method in ("GET", "POST") for path in ("default", "layouts/default")),
        *(f"{method} /api/prefs" for method in ("GET", "POST", "DELETE")),
        "GET /api/prefs/all",
        "GET /api/systemConfig/get",
        "POST /api/systemConfig/get",
        "POST /api/crashes",
        "POST /api/feedback",
        "POST /api/sessions",
        "PATCH /api/sessions/{session_id}",
        "DELETE /api/sessions/{session_id}",
        "GET /api/sessions/{session_id}/commands",
        "POST /api/sessions/{session_id}/commands/{command_id}/result",
        *(f"GET /api/admin/{name}" for name in admin.split()),
        "POST /api/admin/imports/apps",
        "POST /api/admin/imports/layouts",
        "GET /api/admin/export",
        "POST /api/admin/import",
        "GET /api/health/live",
        "GET /api/health/ready",
    }

    assert expected <= set(operations(document))


def test_every_operation_has_an_id_of_its_own_a_sentence_and_its_refusals(document: dict[str, Any]) -> None:
    described = operations(document)

    ids = [operation["operationId"] for operation in described.values()]
    assert len(ids) == len(set(ids))
    for name, operation in described.items():
        assert operation.get("description") or operation.get("summary"), name
        codes = set(operation["responses"])
        assert {"400", "503"} <= codes, name
        # In some requests, a key in the path or the token of a link in the body is the credential.
        is_open = any(part in name for part in ("/health/", "/directory/", "/api/password-links/"))
        is_open = is_open or name.endswith(("/metrics", "/signin/options"))
        assert ("401" in codes) != is_open, name
        if name.startswith(("PUT /api/admin/", "PATCH /api/admin/", "DELETE /api/admin/")):
            assert {"403", "404"} <= codes, name


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                found.append(value["$ref"])
            for child in value.values():
                walk(child)
        elif isinstance(value, list):
            for child in value:
                walk(child)

    walk(document)

    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert found
    assert set(found) <= known
