"""Signed tokens in the JWT format."""

import base64
import hmac
import json
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from rostrum.base.json_web_token import InvalidToken, TokenKey

SECRET = b"0123456789abcdef0123456789abcdef"
CLAIMS = {"sub": "Søren 🔑", "exp": 17, "nested": {"list": [1, None, "x"]}}
HEADER = {"alg": "HS256", "typ": "JWT"}


def part(value: Any) -> bytes:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")


def signed(*parts: bytes, digest: str = "sha256", secret: bytes = SECRET) -> str:
    text = b".".join(parts)
    signature = base64.urlsafe_b64encode(hmac.digest(secret, text, digest)).rstrip(b"=")
    return (text + b"." + signature).decode()


def test_another_library_reads_a_token_that_was_signed_here() -> None:
    read = jwt.decode(TokenKey(SECRET).sign(CLAIMS), OctKey.import_key(SECRET), algorithms=["HS256"])

    assert (read.header, read.claims) == (HEADER, CLAIMS)


def test_a_token_of_another_library_is_read_here() -> None:
    token = jwt.encode(HEADER, CLAIMS, OctKey.import_key(SECRET), algorithms=["HS256"])

    assert TokenKey(SECRET).read(token) == CLAIMS


@pytest.mark.parametrize(
    "text",
    [
        signed(part(HEADER), part(CLAIMS), secret=b"another secret of the same length"),
        signed(part(HEADER), part({**CLAIMS, "sub": "ann"}))[:-1],
        signed(part(HEADER), part(CLAIMS)) + "=",
        signed(part({"alg": "HS512"}), part(CLAIMS), digest="sha512"),
        signed(part({"alg": "HS512"}), part(CLAIMS)),
        signed(part({"alg": "none"}), part(CLAIMS)),
        f"{part({'alg': 'none'}).decode()}.{part(CLAIMS).decode()}.",
        signed(part({**HEADER, "crit": ["b64"], "b64": False}), part(CLAIMS)),
        signed(part({}), part(CLAIMS)),
        signed(part("HS256"), part(CLAIMS)),
        signed(part(HEADER), part([CLAIMS])),
        signed(part(HEADER), b"!"),
        signed(part(HEADER), b"bm90IEpTT04"),
        signed(part(HEADER), b"_w"),
        signed(part(HEADER), base64.urlsafe_b64encode(b"[" * 100_000).rstrip(b"=")),
        signed(part(HEADER)),
        signed(part(HEADER), part(CLAIMS), part(CLAIMS)),
        "é.é.é",
        "..",
        "",
    ],
)
def test_every_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidToken):
        TokenKey(SECRET).read(text)


def test_a_change_of_any_character_is_refused() -> None:
    key = TokenKey(SECRET)
    token = key.sign({"sub": "ann"})

    for place, character in enumerate(token):
        changed = token[:place] + ("A" if character != "A" else "B") + token[place + 1 :]
        with pytest.raises(InvalidToken):
            key.read(changed)
