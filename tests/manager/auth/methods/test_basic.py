import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.auth.methods.basic import CHALLENGE, parse_basic
from rostrum.manager.errors import Unauthenticated

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
USER_ID = st.text(st.characters(exclude_characters="\0:", exclude_categories=["Cs"]), min_size=1)


def encoded(credentials: str | bytes) -> str:
    data = credentials.encode() if isinstance(credentials, str) else credentials
    return base64.b64encode(data).decode()


@pytest.mark.rule("R-1-3", "R-5-1")
def test_the_pair_is_split_at_the_colon() -> None:
    assert parse_basic("QWxhZGRpbjpvcGVuIHNlc2FtZQ==") == ("Aladdin", "open sesame")


def test_only_the_first_colon_splits() -> None:
    assert parse_basic(encoded("ann:a:b::")) == ("ann", "a:b::")


def test_user_id_and_password_are_utf_8() -> None:
    assert parse_basic("dGVzdDoxMjPCow==") == ("test", "123£")
    assert parse_basic(encoded("Søren:пароль🔑")) == ("Søren", "пароль🔑")


def test_nothing_is_trimmed() -> None:
    assert parse_basic(encoded(" ann : secret ")) == (" ann ", " secret ")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("!!!", id="not Base64"),
        pytest.param("YW5uOnNlY3JldA", id="no padding"),
        pytest.param("YW5uOnNl\nY3JldA==", id="a line break inside"),
        pytest.param("YW5uOnNl Y3JldA==", id="a space inside"),
        pytest.param("YW5uOnNl-_JldA==", id="the URL alphabet"),
        pytest.param("ännchen", id="not ASCII"),
        pytest.param("\ud800", id="half a surrogate pair"),
        pytest.param(encoded("ann"), id="no colon"),
        pytest.param(encoded(":secret"), id="no user id"),
        pytest.param(encoded("ann:"), id="no password"),
        pytest.param(encoded(":"), id="only a colon"),
        pytest.param(encoded("ann:sec\0ret"), id="a zero byte in the password"),
        pytest.param(encoded("an\0n:secret"), id="a zero byte in the user id"),
        pytest.param(encoded("test:123£".encode("latin-1")), id="not UTF-8"),
        pytest.param(encoded(b"ann:\xed\xa0\x80"), id="a surrogate in UTF-8"),
        pytest.param(encoded(b"ann:\xc0\xaf"), id="an overlong form"),
    ],
)
def test_what_is_malformed_is_not_authenticated(text: str) -> None:
    with pytest.raises(Unauthenticated):
        parse_basic(text)


@pytest.mark.long
@given(USER_ID, TEXT)
def test_every_pair_comes_back_as_it_was_sent(user_id: str, password: str) -> None:
    assert parse_basic(encoded(f"{user_id}:{password}")) == (user_id, password)


@pytest.mark.long
@given(st.one_of(st.text(), st.binary().map(encoded), st.binary().map(lambda data: data.decode("latin-1"))))
def test_no_text_whatever_raises_anything_else(text: str) -> None:
    try:
        user_id, password = parse_basic(text)
    except Unauthenticated:
        return
    assert user_id
    assert password
    assert ":" not in user_id


def test_the_challenge_names_realm_and_charset() -> None:
    assert CHALLENGE == 'Basic realm="rostrum", charset="UTF-8"'
