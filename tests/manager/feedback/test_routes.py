import random
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

ZIP = random.Random(2).randbytes(3 * 1024 * 1024 + 5)


def form(description: str | None = "Too slow\n– since today", attachment: bytes | None = None) -> dict[str, Any]:
    parts: list[tuple[str, Any]] = [] if description is None else [("description", (None, description))]
    if attachment is not None:
        parts.append(("attachment", ("../logs.zip", attachment, "application/zip")))
    return {"files": parts or [("other", (None, "x"))]}


async def send(client: httpx.AsyncClient, **options: Any) -> str:
    answer = await client.post("/feedback", **(options or form()))
    assert answer.status_code == 201, answer.text
    kept: str = answer.json()["id"]
    return kept


async def test_feedback_is_kept_with_its_attachment(api: Api) -> None:
    user = await api.add_user("ann")

    answer = await user.post("/feedback", **form(attachment=ZIP))

    assert answer.status_code == 201
    kept = answer.json()["id"]
    assert answer.headers["Location"] == f"/api/admin/feedback/{kept}"
    item = (await api.admin.get(f"/admin/feedback/{kept}")).json()
    assert item == {
        "id": kept,
        "user": "ann",
        "session": None,
        "description": "Too slow\n– since today",
        "attachment": {"name": "logs.zip", "mediaType": "application/octet-stream", "size": len(ZIP)},
        "received": "2026-01-01T00:00:00Z",
        "reviewed": False,
        "reviewedBy": None,
        "comment": "",
        "revision": item["revision"],
        "status": "new",
        "assignee": None,
    }
    download = await api.admin.get(f"/admin/feedback/{kept}/attachment")
    assert download.content == ZIP
    assert download.headers["Content-Disposition"] == "attachment; filename*=UTF-8''logs.zip"


async def test_feedback_of_a_client_names_its_session(api: Api) -> None:
    user = await api.add_user("ann")
    session = (await user.post("/sessions", json={})).json()
    client = api.client(headers={"Authorization": f"Bearer {session['token']}"})

    kept = await send(client)

    item = (await api.admin.get(f"/admin/feedback/{kept}")).json()
    assert (item["user"], item["session"], item["attachment"]) == ("ann", session["id"], None)
    assert (await api.admin.get(f"/admin/feedback/{kept}/attachment")).status_code == 404


async def test_feedback_without_words_or_with_two_files_is_refused(api: Api) -> None:
    file = ("x.zip", b"x")
    wrong: list[dict[str, Any]] = [
        form(None),
        form(""),
        form("  \n"),
        form("a\0b"),
        form("x" * 100_001),
        {"files": [("description", (None, "x")), ("attachment", file), ("attachment", file)]},
        {"files": [("description", (None, "x")), ("another", file)]},
        {"json": {"description": "x"}},
        {"data": {"description": "x"}},
        {},
    ]

    for sent in wrong:
        expected = 415 if sent.keys() == {"data"} else 400
        assert (await api.admin.post("/feedback", **sent)).status_code == expected, str(sent)[:100]
    assert (await api.admin.get("/admin/feedback")).json()["total"] == 0
    assert (await api.client().post("/feedback", **form())).status_code == 401


@pytest.mark.long
async def test_feedback_that_is_too_large_leaves_nothing(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, maxCrash=100_000), clock) as api:
        answer = await api.admin.post("/feedback", **form(attachment=b"x" * 100_000))

        assert answer.status_code == 413
        assert (await api.admin.get("/admin/feedback")).json()["total"] == 0


async def test_feedback_is_reviewed_commented_and_deleted(api: Api) -> None:
    reviewer = await api.add_user("rita", "PLATFORM_MANAGER:FEEDBACKS:WRITE")
    address = f"/admin/feedback/{await send(api.admin, **form(attachment=b'zip'))}"
    read = await api.admin.get(address)
    assert (await api.admin.get(address, headers={"If-None-Match": read.headers["ETag"]})).status_code == 304

    reviewed = (await reviewer.patch(address, json={"reviewed": True, "comment": "thanks"})).json()
    assert reviewed == {
        **read.json(),
        "reviewed": True,
        "reviewedBy": "rita",
        "comment": "thanks",
        "status": "resolved",
        "revision": reviewed["revision"],
    }
    for method, body in (("PATCH", {"reviewed": False}), ("DELETE", None)):
        stale = await api.admin.request(method, address, json=body, headers={"If-Match": read.headers["ETag"]})
        assert stale.status_code == 412
    assert (await reviewer.delete(address)).status_code == 204
    for method, suffix in (("GET", ""), ("GET", "/attachment"), ("PATCH", ""), ("DELETE", "")):
        body = {} if method == "PATCH" else None
        assert (await api.admin.request(method, address + suffix, json=body)).status_code == 404


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:FEEDBACKS:READ")
    address = f"/admin/feedback/{await send(nobody, **form(attachment=b'zip'))}"

    for suffix in ("", "/attachment"):
        assert (await nobody.get(address + suffix)).status_code == 403
        assert (await reader.get(address + suffix)).status_code == 200
    assert (await nobody.get("/admin/feedback")).status_code == 403
    assert (await reader.patch(address, json={"reviewed": True})).status_code == 403
    assert (await reader.delete(address)).status_code == 403


async def test_feedback_is_found_by_user_words_and_review(api: Api) -> None:
    ann = await api.add_user("ann")
    first, second = await send(ann, **form("Slow charts")), await send(api.admin, **form("Nice!"))
    await api.admin.patch(f"/admin/feedback/{second}", json={"reviewed": True})

    async def found(**filters: str) -> list[str]:
        return [item["id"] for item in (await api.admin.get("/admin/feedback", params=filters)).json()["items"]]

    assert await found(user="ann") == [first]
    assert await found(q="CHARTS") == [first]
    assert await found(description="nice*") == [second]
    assert await found(reviewed="true") == [second]
    assert await found(reviewed="false") == [first]
