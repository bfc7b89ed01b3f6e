import base64
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import OctKey

from rostrum.base.clock import SettableClock
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.errors import Unauthenticated

SECRET = "0123456789abcdef0123456789abcdef"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture
def tokens(clock: SettableClock) -> Tokens:
    return Tokens(SECRET, clock)


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def claims_in(token: str) -> dict[str, Any]:
    payload = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return found


def good_claims(clock: SettableClock) -> dict[str, Any]:
    now = int(clock.now().timestamp())
    return {
        "iss": "rostrum",
        "sub": "ann",
        "iat": now,
        "exp": now + 60,
        "jti": "1",
        "fam": "1",
        "use": "session",
        "epoch": 7,
    }


def signed(claims: dict[str, Any], *, secret: str = SECRET, algorithm: str = "HS256", **header: Any) -> str:
    key = OctKey.import_key(secret.encode())
    return jwt.encode({"alg": algorithm, **header}, claims, key, algorithms=[algorithm])


def refuses(tokens: Tokens, text: str, use: Use = Use.SESSION) -> bool:
    with pytest.raises(Unauthenticated):
        tokens.check(text, use)
    return True


@pytest.mark.parametrize("use", list(Use))
def test_a_token_comes_back_as_it_was_signed(tokens: Tokens, use: Use) -> None:
    claims = tokens.check(tokens.sign("Søren 🔑", use, epoch=7, seconds=60, session="s1"), use)

    assert (claims.user, claims.use, claims.epoch, claims.session) == ("Søren 🔑", use, 7, "s1")


@pytest.mark.rule("R-1-5", "R-2.1-1", "R-5-3", "T-3-1")
def test_the_subject_is_the_user_id_and_groups_are_not_in_it(tokens: Tokens) -> None:
    claims = claims_in(tokens.sign("ann", Use.SESSION, epoch=7, seconds=60))

    assert claims["sub"] == "ann"
    assert set(claims) == {"iss", "sub", "iat", "exp", "jti", "fam", "use", "epoch", "end"}


def test_a_token_of_an_older_version_ends_with_its_session(tokens: Tokens, clock: SettableClock) -> None:
    old = tokens.check(signed(good_claims(clock)), Use.SESSION)

    client = tokens.check(tokens.sign("ann", Use.CLIENT, epoch=7, seconds=9999, parent=old), Use.CLIENT)
    renewed = tokens.check(tokens.sign("ann", Use.CLIENT, epoch=7, seconds=9999, parent=client), Use.CLIENT)

    assert old.end is None
    assert client.expires == renewed.expires == old.expires


def test_a_page_renews_its_token_until_its_sign_in_ends(tokens: Tokens, clock: SettableClock) -> None:
    token = tokens.check(tokens.sign("ann", Use.PAGE, epoch=7, seconds=3600), Use.PAGE)
    end = token.end
    for _ in range(12):
        clock.advance(3599)
        text = tokens.sign("ann", Use.PAGE, epoch=7, seconds=3600, parent=token, outlives=True)
        token = tokens.check(text, Use.PAGE)

    assert token.end == end == token.expires


def test_a_session_that_is_longer_than_a_day_is_the_end_of_its_tokens(tokens: Tokens) -> None:
    day = tokens.check(tokens.sign("ann", Use.SESSION, epoch=7, seconds=86_400), Use.SESSION)

    assert day.end == day.expires


def test_no_two_tokens_have_the_same_id(tokens: Tokens) -> None:
    made = [tokens.check(tokens.sign("ann", Use.CLIENT, epoch=7, seconds=60), Use.CLIENT).family for _ in range(20)]

    assert len(set(made)) == 20


def test_one_use_is_never_taken_for_the_other(tokens: Tokens) -> None:
    assert refuses(tokens, tokens.sign("ann", Use.CLIENT, epoch=7, seconds=60), Use.SESSION)
    assert refuses(tokens, tokens.sign("ann", Use.SESSION, epoch=7, seconds=60), Use.CLIENT)


def test_a_token_is_good_until_the_second_it_expires_in(tokens: Tokens, clock: SettableClock) -> None:
    token = tokens.sign("ann", Use.SESSION, epoch=7, seconds=60)

    clock.advance(59.999)
    assert tokens.check(token, Use.SESSION).user == "ann"
    clock.advance(0.001)
    assert refuses(tokens, token)


def test_the_signature_of_another_key_is_refused(tokens: Tokens, clock: SettableClock) -> None:
    assert refuses(tokens, Tokens(SECRET[::-1], clock).sign("ann", Use.SESSION, epoch=7, seconds=60))


def test_the_algorithm_none_is_refused(tokens: Tokens, clock: SettableClock) -> None:
    for name in ("none", "None", "NONE"):
        header = part({"alg": name, "typ": "JWT"})
        signature = signed(good_claims(clock)).split(".")[2]
        assert refuses(tokens, f"{header}.{part(good_claims(clock))}.")
        assert refuses(tokens, f"{header}.{part(good_claims(clock))}.{signature}")


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_another_algorithm_is_refused_even_with_the_right_key(
    tokens: Tokens, clock: SettableClock, algorithm: str
) -> None:
    assert refuses(tokens, signed(good_claims(clock), algorithm=algorithm))


def test_an_unsigned_header_cannot_bring_its_own_key(tokens: Tokens, clock: SettableClock) -> None:
    foreign = SECRET[::-1]
    jwk = {"kty": "oct", "k": base64.urlsafe_b64encode(foreign.encode()).rstrip(b"=").decode()}

    assert refuses(tokens, signed(good_claims(clock), secret=foreign, jwk=jwk))


def test_a_changed_letter_anywhere_is_noticed(tokens: Tokens) -> None:
    token = tokens.sign("ann", Use.SESSION, epoch=7, seconds=60)
    # The last letter of a part may hold bits that count for nothing.
    ends = {len(token) - 1, *(place - 1 for place, letter in enumerate(token) if letter == ".")}

    for place in set(range(len(token))) - ends:
        other = "A" if token[place] != "A" else "B"
        assert refuses(tokens, token[:place] + other + token[place + 1 :])


def test_another_payload_under_the_same_signature_is_refused(tokens: Tokens) -> None:
    header, payload, signature = tokens.sign("ann", Use.SESSION, epoch=7, seconds=60).split(".")
    admin = part(claims_in(f".{payload}.") | {"sub": "admin"})

    assert refuses(tokens, f"{header}.{admin}.{signature}")


@pytest.mark.parametrize("name", ["iss", "sub", "exp", "jti", "fam", "use", "epoch"])
def test_a_missing_claim_is_refused(tokens: Tokens, clock: SettableClock, name: str) -> None:
    claims = good_claims(clock)
    assert tokens.check(signed(claims), Use.SESSION).user == "ann"

    del claims[name]

    assert refuses(tokens, signed(claims))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("iss", "someone else"),
        ("iss", ["rostrum"]),
        ("sub", 7),
        ("sub", None),
        ("sub", {"id": "ann"}),
        ("exp", "2099-01-01"),
        ("exp", 4e9),
        ("exp", True),
        ("exp", None),
        ("exp", -1),
        ("exp", 10**12),
        ("exp", 10**30),
        ("jti", 1),
        ("fam", 1),
        ("use", "admin"),
        ("use", ["session"]),
        ("epoch", "7"),
        ("epoch", 7.0),
        ("epoch", True),
        ("sid", 5),
        ("sid", None),
    ],
)
def test_a_claim_of_the_wrong_kind_is_refused(tokens: Tokens, clock: SettableClock, name: str, value: Any) -> None:
    assert refuses(tokens, signed(good_claims(clock) | {name: value}))


def test_a_huge_token_is_refused_before_it_is_read(tokens: Tokens) -> None:
    assert refuses(tokens, tokens.sign("a" * 5000, Use.SESSION, epoch=7, seconds=60))
    assert refuses(tokens, "a" * 10_000_000)


@pytest.mark.parametrize("header", [{"crit": ["later"], "later": 1}, {"alg": ["HS256"]}, {"alg": None}, {"b64": False}])
def test_a_strange_header_does_no_harm(tokens: Tokens, clock: SettableClock, header: dict[str, Any]) -> None:
    signature = signed(good_claims(clock)).split(".")[2]

    assert refuses(tokens, f"{part({'alg': 'HS256', **header})}.{part(good_claims(clock))}.{signature}")


@pytest.mark.long
@given(
    st.one_of(
        st.text(),
        st.lists(st.text("ABCabc019-_"), min_size=1, max_size=6).map(".".join),
        st.lists(JSON.map(part), min_size=1, max_size=6).map(".".join),
        st.tuples(JSON, JSON, st.text("ABCabc")).map(lambda parts: f"{part(parts[0])}.{part(parts[1])}.{parts[2]}"),
    )
)
@example("\ud800.\ud800.\ud800")
@example("..")
@example("....")
@example(f"{part({'alg': 'dir', 'enc': 'A128GCM'})}.a.b.c.d")
@example(f"{part({'alg': 'HS256'})}.{part('[' * 3000)}.")
def test_garbage_is_refused_and_nothing_else(text: str) -> None:
    assert refuses(Tokens(SECRET, SettableClock()), text)


@pytest.mark.long
@given(st.dictionaries(st.sampled_from(["iss", "sub", "iat", "exp", "jti", "use", "epoch", "sid", "nbf"]), JSON))
def test_claims_of_any_shape_are_read_or_refused(changed: dict[str, Any]) -> None:
    clock = SettableClock()
    try:
        claims = Tokens(SECRET, clock).check(signed(good_claims(clock) | changed), Use.SESSION)
    except Unauthenticated:
        return
    assert isinstance(claims.user, str)
    assert claims.expires > clock.now()


def test_a_token_made_from_another_is_of_its_family(tokens: Tokens) -> None:
    first = tokens.check(tokens.sign("ann", Use.CLIENT, epoch=7, seconds=60), Use.CLIENT)

    second = tokens.check(tokens.sign("ann", Use.CLIENT, epoch=7, seconds=600, parent=first), Use.CLIENT)

    assert second.family == first.family
    assert second.expires > first.expires


def test_a_token_made_with_the_cookie_does_not_outlive_it(tokens: Tokens) -> None:
    cookie = tokens.check(tokens.sign("ann", Use.SESSION, epoch=7, seconds=60), Use.SESSION)

    token = tokens.check(tokens.sign("ann", Use.CLIENT, epoch=7, seconds=600, parent=cookie), Use.CLIENT)

    assert (token.family, token.expires) == (cookie.family, cookie.expires)
