"""Random credentials and documents: a clear refusal, never a server error, and no sign-in.

A few hundred requests each time; ``LONG=100`` sends some ten thousand of each kind, for minutes.
"""

import asyncio
import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import OctKey

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, SECRET, Api, manager_config, running_api
from tests.long_form import LONG
from tests.manager.http.test_bad_input import JSON, WITH_BODY, example

EXAMPLES = max(60, LONG * 100)
"""Requests of each kind."""

TEXTS = st.text(max_size=60)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
CLAIMS = ("iss", "sub", "iat", "exp", "jti", "fam", "use", "epoch", "sid")


class Server:
    """A manager in this process; each request comes from an address of its own, so that no guess is throttled."""

    def __init__(self, runner: asyncio.Runner, api: Api) -> None:
        self._runner = runner
        self._numbers = count(1)
        self._app = api.app
        self._address = f"http://manager.example.com/{api.config.base}"

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        number = next(self._numbers)
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        return self._runner.run(self._send(method, path, address, options))

    async def _send(self, method: str, path: str, address: str, options: dict[str, Any]) -> httpx.Response:
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=True, client=(address, 4711))
        url = path if path.startswith("http") else f"{self._address}{path}"
        async with asyncio.timeout(60), httpx.AsyncClient(transport=transport) as client:
            return await client.request(method, url, **options)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = f"sqlite:///{tmp_path_factory.mktemp('fuzz')}/rostrum.db"
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        api = runner.run(stack.enter_async_context(running_api(manager_config(store), SettableClock())))
        yield Server(runner, api)
        runner.run(stack.aclose())


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    """A client token of the administrator."""
    return str(server.send("POST", "/token/refresh", auth=ADMIN).json()["token"])


def assert_refused(answer: httpx.Response, *statuses: int) -> None:
    assert answer.status_code in statuses, (answer.status_code, answer.text[:300])
    error = answer.json()["error"]
    assert (error["code"], type(error["message"])) == (answer.status_code, str)
    assert "set-cookie" not in answer.headers


def segment(value: Any) -> str:
    """One part of a token."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(text).rstrip(b"=").decode()


header_values = st.binary(max_size=200).map(lambda text: text.translate(None, b"\r\n\0"))
basic_texts = st.one_of(
    TEXTS,
    st.tuples(TEXTS, TEXTS).map(":".join),
    st.sampled_from(["admin", "ADMIN", "admin ", " admin", "аdmin", "admin\0", ":", "::", ""]).flatmap(
        lambda user: TEXTS.map(lambda password: f"{user}:{password}")
    ),
    st.sampled_from([ADMIN[1].upper(), f"{ADMIN[1]} ", f" {ADMIN[1]}", ADMIN[1][:-1], f"{ADMIN[1]}\0"]).map(
        lambda password: f"admin:{password}"
    ),
)


@settings(max_examples=EXAMPLES)
@given(scheme=st.sampled_from([b"Basic ", b"basic  ", b"Basic\t", b"Bearer ", b"", b"Digest "]), value=header_values)
def test_no_bytes_in_the_authorization_header_get_in(server: Server, scheme: bytes, value: bytes) -> None:
    assert_refused(server.send("GET", "/me", headers=[(b"authorization", scheme + value)]), 401)


@pytest.mark.long
@settings(max_examples=EXAMPLES)
@given(text=basic_texts, end=st.sampled_from(["", "=", "==", " ", "\n"]), encoding=st.sampled_from(["utf-8", "utf-16"]))
def test_no_basic_credentials_but_the_right_ones_get_in(server: Server, text: str, end: str, encoding: str) -> None:
    encoded = b64encode(text.encode(encoding, "surrogatepass")).decode() + end.strip("\n")
    if text == ":".join(ADMIN):
        return
    assert_refused(server.send("GET", "/me", headers={"authorization": f"Basic {encoded}"}), 401)


@pytest.mark.long
@settings(max_examples=EXAMPLES)
@given(
    head=st.one_of(
        st.fixed_dictionaries({"alg": st.sampled_from(["none", "None", "HS256", "HS384", "RS256", "ES256", "dir"])}),
        st.dictionaries(st.sampled_from(["alg", "typ", "kid", "jwk", "jku", "x5u", "crit", "b64", "zip"]), VALUES),
        VALUES,
    ),
    claims=st.one_of(st.dictionaries(st.sampled_from(CLAIMS), VALUES), VALUES, st.binary(max_size=50)),
    signature=st.one_of(st.just(""), st.binary(max_size=64).map(segment)),
)
def test_no_token_without_the_key_gets_in(server: Server, head: Any, claims: Any, signature: str) -> None:
    forged = f"{segment(head)}.{segment(claims)}.{signature}"
    assert_refused(server.send("GET", "/me", headers={"authorization": f"Bearer {forged}"}), 401)
    assert_refused(server.send("GET", "/me", headers={"cookie": f"PLATFORM_SESSION={forged}"}), 401)


@pytest.mark.long
@settings(max_examples=EXAMPLES)
@given(place=st.integers(min_value=0), letter=st.sampled_from("ABCXYZabcxyz059-_.=~"), cut=st.booleans())
def test_no_changed_token_gets_in(server: Server, token: str, place: int, letter: str, *, cut: bool) -> None:
    at = place % len(token)
    changed = token[:at] + ("" if cut else letter) + token[at + 1 :]
    same = [part.rstrip("=") for part in changed.split(".")] == token.split(".")
    last = at == len(token) - 1
    # The last letter of a signature holds two bits that no byte is made of.
    if changed != token and not same and not last:
        assert_refused(server.send("GET", "/me", headers={"authorization": f"Bearer {changed}"}), 401)


@pytest.mark.long
@settings(max_examples=EXAMPLES)
@given(name=st.sampled_from(CLAIMS), value=VALUES)
def test_a_signed_token_with_an_odd_claim_is_refused_or_means_the_same(
    server: Server, token: str, name: str, value: Any
) -> None:
    key = OctKey.import_key(SECRET.encode())
    claims = dict(jwt.decode(token, key, algorithms=["HS256"]).claims)
    odd = jwt.encode({"alg": "HS256"}, {**claims, name: value}, key, algorithms=["HS256"])

    answer = server.send("GET", "/me", headers={"authorization": f"Bearer {odd}"})

    assert answer.status_code in (200, 401)
    if answer.status_code == 200:
        assert answer.json()["id"] == "admin"
        assert name not in ("sub", "iss", "use", "epoch") or value == claims[name]


def changed(body: Any, path: list[int], value: Any) -> Any:
    """Put a value into some place of a document."""
    if not path or not isinstance(body, dict | list) or not body:
        return value
    at = path[0] % len(body)
    if isinstance(body, list):
        return [changed(each, path[1:], value) if number == at else each for number, each in enumerate(body)]
    return {name: changed(each, path[1:], value) if n == at else each for n, (name, each) in enumerate(body.items())}


@pytest.mark.long
@settings(max_examples=EXAMPLES)
@given(
    operation=st.sampled_from(WITH_BODY),
    path=st.lists(st.integers(min_value=0, max_value=20), max_size=4),
    value=VALUES,
    key=st.text(min_size=1, max_size=20),
)
def test_any_json_in_any_place_is_taken_or_refused(
    server: Server, operation: tuple[str, str, str, Any], path: list[int], value: Any, key: str
) -> None:
    name, method, address, _ = operation
    body = json.dumps(changed(example(name), path, value)).encode()
    address = address.replace("/x", "/" + quote(key.encode(errors="replace"), safe=""))

    answer = server.send(method, f"http://manager.example.com{address}", content=body, headers=JSON, auth=ADMIN)

    assert answer.status_code < 500, (name, body, answer.text[:300])
    if answer.status_code >= 400:
        assert answer.json()["error"]["code"] == answer.status_code
    assert server.send("GET", "/me", auth=ADMIN).status_code == 200, "the administrator is still let in"


@settings(max_examples=EXAMPLES)
@given(operation=st.sampled_from(WITH_BODY), body=st.binary(min_size=1, max_size=200))
def test_any_bytes_as_json_are_refused_or_json(
    server: Server, operation: tuple[str, str, str, Any], body: bytes
) -> None:
    _, method, address, _ = operation
    answer = server.send(method, f"http://manager.example.com{address}", content=body, headers=JSON, auth=ADMIN)

    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert answer.json()["error"]["code"] == answer.status_code
