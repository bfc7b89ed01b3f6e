"""Responses: JSON, ETags, and status 304 if the client already has the content."""

import re
from collections.abc import Mapping
from typing import Any, cast

from litestar import Response

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.browser_platform import TOKEN_HEADER
from rostrum.manager.errors import Expected
from rostrum.manager.http.request import ManagerRequest

VARY = f"Authorization, Cookie, Origin, {TOKEN_HEADER}"
"""The request headers that responses depend on: credentials and origin."""

PACKED = "-gzip"
"""The suffix of the tag of a compressed response: other bytes, same content."""

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_READS = frozenset({"GET", "HEAD"})
_PRIVATE = {"Cache-Control": "private, no-cache", "Vary": VARY}


def document(request: ManagerRequest, body: Any, revision: int) -> Response[Any]:
    """Return a document, with a tag from its revision and its bytes."""
    text = json_text.dump(body)
    return _tagged(request, text, _document_tag(revision, text))


def answer(request: ManagerRequest, body: Any, *, is_question: bool = False) -> Response[Any]:
    """Return a value, with a tag from its bytes; a POST that only reads can also be answered with 304."""
    text = json_text.dump(body)
    return _tagged(request, text, f'"{json_text.digest(text)}"', is_question=is_question)


def answer_bytes(request: ManagerRequest, body: bytes, *, is_question: bool = False) -> Response[Any]:
    """Return JSON text, with a tag from its bytes; a POST that only reads can also be answered with 304."""
    return _tagged(request, body, f'"{json_text.digest(body)}"', is_question=is_question)


def created(body: Any, revision: int | None, location: str) -> Response[Any]:
    """Return a document that was just created, and its address; it may contain a secret that no other response has."""
    text = json_text.dump(body)
    headers = {"Cache-Control": "no-store", "Vary": VARY, "Location": location}
    if revision is not None:
        headers["ETag"] = _document_tag(revision, text)
    return _json(text, 201, headers)


def nothing(status: int = 204) -> Response[None]:
    """Return an empty body."""
    headers = {"Cache-Control": "no-store"}
    return cast("Response[None]", Response(b"", status_code=status, media_type="text/plain", headers=headers))


def expected_revisions(request: ManagerRequest) -> Expected:
    """Read If-Match: the revisions that the writer expects; a PUT with ``If-None-Match: *`` expects none."""
    header = request.headers.get("if-match")
    if header is None or header.strip() == "*":
        wants_none = request.method == "PUT" and request.headers.get("if-none-match", "").strip() == "*"
        return frozenset() if wants_none else None
    tags = _TAG.findall(header)
    if not tags:
        message = 'must be * or a list of ETags such as "17"'
        raise Invalid("invalid header", [Problem(path="If-Match", message=message)])
    # A tag that is not a revision matches nothing, as the standard requires.
    numbers = [tag.partition("-")[0] for tag in tags]
    return frozenset(int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 19)


def held_tag(wanted: str, tag: str) -> str | None:
    """Find the tag in If-None-Match by which a client shows that it has this content already, packed or not."""
    if wanted.strip() == "*":
        return tag
    held = tag.strip('"')
    return next((f'"{found}"' for found in _TAG.findall(wanted) if found.removesuffix(PACKED) == held), None)


def _document_tag(revision: int, body: bytes) -> str:
    # Writers are checked against the revision; readers also see other changes, such as the members of a group.
    return f'"{revision}-{json_text.digest(body)}"'


def _tagged(request: ManagerRequest, body: bytes, tag: str, *, is_question: bool = False) -> Response[Any]:
    headers = {**_PRIVATE, "ETag": tag}
    # After a write, the response contains the written document, whatever the client had.
    wanted = request.headers.get("if-none-match") if is_question or request.method in _READS else None
    if wanted is not None and held_tag(wanted, tag) is not None:
        return Response(b"", status_code=304, headers=headers, media_type="application/json")
    return _json(body, 200, headers)


def _json(body: bytes, status: int, headers: Mapping[str, str]) -> Response[Any]:
    return Response(body, status_code=status, headers=dict(headers), media_type="application/json")
