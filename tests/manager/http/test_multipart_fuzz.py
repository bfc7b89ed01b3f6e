"""Multipart forms that are broken at random: each is stored as a whole or refused, and the server stays well.

A few hundred forms each time; as many as `LONG` says in the long form.
"""

import gzip
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api
from tests.long_form import cycles

BOUNDARY = b"----fuzz"
REFUSALS = {400, 409, 413, 415}
UNLIMITED = dict.fromkeys(("feedback", "feedbackBytes", "crashes", "crashBytes"), -1)
FORMS = {
    "/crashes": [
        (b'form-data; name="ver"', b"9.1"),
        (b'form-data; name="platform"', b"win32"),
        (b'form-data; name="upload_file_minidump"; filename="a.dmp"', b"MDMP" + bytes(range(256))),
    ],
    "/feedback": [
        (b'form-data; name="description"', "Größe 🙂".encode()),
        (b'form-data; name="attachment"; filename="a.zip"', b"PK\x03\x04" + b"\0" * 64),
    ],
}
TOKENS = [
    b"",
    b"\r\n",
    b"\n",
    b"\r",
    b"\0",
    b"--",
    b"--" + BOUNDARY,
    b"--" + BOUNDARY + b"--",
    b"--" + BOUNDARY + b"\r\n",
    b"Content-Disposition: ",
    b"Content-Type: multipart/mixed; boundary=inner\r\n",
    b"Content-Type: text/plain; charset=utf-16\r\n",
    b"Content-Type: text/plain; charset=no-such\r\n",
    b"Content-Type: text/plain; charset=unicode_escape\r\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"filename*=utf-8''%ff%00",
    b'; filename="../../etc/passwd"',
    b'; name="description"',
    b'; name=""',
    b'; name="' + b"n" * 70_000 + b'"',
    b"X: " + b"y" * 20_000 + b"\r\n",
    b"\xff\xfe\xed\xa0\x80",
    b'"',
    b"\\",
    b"[" * 2000,
    b"z" * 70_000,
]


def form(parts: list[tuple[bytes, bytes]]) -> bytes:
    written = b"".join(
        b"--" + BOUNDARY + b"\r\nContent-Disposition: " + head + b"\r\n\r\n" + content + b"\r\n"
        for head, content in parts
    )
    return written + b"--" + BOUNDARY + b"--\r\n"


def spliced(chance: random.Random, body: bytes) -> bytes:
    """Replace a stretch of the form by a token that means something to a parser."""
    start = chance.randrange(len(body) + 1)
    end = min(len(body), start + chance.choice((0, 0, 1, 4, 40)))
    return body[:start] + chance.choice(TOKENS) + body[end:]


def flipped(chance: random.Random, body: bytes) -> bytes:
    changed = bytearray(body)
    for _ in range(chance.randint(1, 8) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(chance: random.Random, body: bytes) -> bytes:
    return body[: chance.randrange(len(body) + 1)]


def doubled(chance: random.Random, body: bytes) -> bytes:
    return body * chance.randint(2, 300) if len(body) < 5_000 else body + body


def other_line_ends(chance: random.Random, body: bytes) -> bytes:
    return body.replace(b"\r\n", chance.choice((b"\n", b"\r", b"\r\r\n", b"\n\r")))


MUTATIONS: list[Callable[[random.Random, bytes], bytes]] = [spliced, spliced, flipped, cut, doubled, other_line_ends]
CONTENT_TYPES = [
    b"multipart/form-data; boundary=" + BOUNDARY,
    b'multipart/form-data; boundary="' + BOUNDARY + b'"',
    b"multipart/form-data; boundary=" + BOUNDARY + b"; charset=utf-16",
    b"multipart/form-data; boundary=" + BOUNDARY + b"; charset=no-such",
    b"multipart/form-data",
    b"multipart/form-data; boundary=",
    b"multipart/form-data; boundary=\xff",
    b"multipart/form-data; boundary=" + b"b" * 5000,
    b"multipart/mixed; boundary=" + BOUNDARY,
    b"Multipart/Form-Data; BOUNDARY=" + BOUNDARY,
]


def request(chance: random.Random) -> tuple[str, bytes, list[tuple[bytes, bytes]]]:
    path = chance.choice(list(FORMS))
    body = form(FORMS[path])
    for _ in range(chance.randint(0, 4)):
        body = chance.choice(MUTATIONS)(chance, body)[:2_000_000]
    usual = chance.random() < 0.8
    headers = [(b"content-type", CONTENT_TYPES[0] if usual else chance.choice(CONTENT_TYPES))]
    if chance.random() < 0.2:
        headers.append((b"content-encoding", b"gzip"))
        if chance.random() < 0.8:
            body = gzip.compress(body)
    return path, body, headers


@pytest.fixture
async def unlimited(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    async with running_api(manager_config(sqlite, quotas=UNLIMITED), clock) as running:
        yield running


async def count(api: Api, path: str) -> int:
    total: int = (await api.admin.get(f"/admin{path}?limit=1")).json()["total"]
    return total


@pytest.mark.long
async def test_a_broken_form_is_stored_as_a_whole_or_refused(unlimited: Api) -> None:
    admin, stored = unlimited.admin, dict.fromkeys(FORMS, 0)
    for number in range(cycles(300)):
        path, body, headers = request(random.Random(number))

        # An exception that nobody handled would end the test here, with the number that repeats it.
        answer = await admin.post(path, content=body, headers=headers)

        seed = f"seed {number}: {answer.status_code} {answer.text[:200]}"
        if answer.is_success:
            stored[path] += 1
        else:
            error: dict[str, Any] = answer.json()["error"]
            assert answer.status_code in REFUSALS, seed
            assert error["code"] == answer.status_code, seed
            assert len(answer.content) < 100_000, seed
    assert {path: await count(unlimited, path) for path in FORMS} == stored
    assert min(stored.values()) > 0
    assert (await admin.get("/health/ready")).status_code == 200


async def test_what_is_stored_of_a_form_can_be_read_back(unlimited: Api) -> None:
    for path, parts in FORMS.items():
        headers = {"content-type": CONTENT_TYPES[0].decode()}
        answer = await unlimited.admin.post(path, content=form(parts), headers=headers)
        assert answer.is_success
    (feedback,) = (await unlimited.admin.get("/admin/feedback")).json()["items"]
    attachment = await unlimited.admin.get(f"/admin/feedback/{feedback['id']}/attachment")

    assert (feedback["description"], attachment.content) == ("Größe 🙂", FORMS["/feedback"][1][1])
