from typing import Any

import pytest
from pydantic import ValidationError

from rostrum.manager.config import CorsOptions
from rostrum.manager.config.notes import unwise
from rostrum.manager.config.report import describe
from tests.manager.config.samples import problems_of, read


def cors(**members: Any) -> CorsOptions:
    return CorsOptions.model_validate(members)


def test_defaults() -> None:
    options = cors()

    assert options.credentials is False
    assert options.origin == ()
    assert options.methods == ("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE")
    assert options.allowed_headers is None
    assert options.exposed_headers == ()
    assert options.max_age is None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://127.0.0.1:4356", ("http://127.0.0.1:4356",)),
        ("HTTPS://Desk.Example", ("https://desk.example",)),
        ("https://desk.example:443", ("https://desk.example",)),
        ("http://desk.example:443", ("http://desk.example:443",)),
        ("http://[::1]:8080", ("http://[::1]:8080",)),
        (["http://a", "http://b", "HTTP://A:80"], ("http://a", "http://b")),
        ("*", ("*",)),
        (["*"], ("*",)),
        ([], ()),
        (False, ()),
        ([False, "http://a"], ("http://a",)),
    ],
)
def test_origins_are_brought_into_one_form(given: Any, kept: tuple[str, ...]) -> None:
    assert cors(origin=given).origin == kept


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "desk.example",
        "http://",
        "http://desk.example/",
        "http://desk.example/app",
        "http://desk.example?x",
        "http://u:p@desk.example",
        "http://desk.example:0",
        "http://desk.example:70000",
        "http://[::zz]",
        "http://[1:2]",
        "http://*.example",
        "http://bücher.example",
        "null",
        " http://a",
        ["http://a", "http://b/"],
    ],
)
def test_other_origins_are_refused_with_an_example(origin: Any) -> None:
    with pytest.raises(ValidationError, match=r"such as https://rostrum\.example\.com"):
        cors(origin=origin)


@pytest.mark.parametrize("origin", [True, [True], ["http://a", True]])
def test_true_allows_every_origin_and_is_pointed_out(origin: Any) -> None:
    loaded = read(cors={"origin": origin, "credentials": True})

    assert loaded.config.cors is not None
    assert loaded.config.cors.allows("https://any.example.org")
    assert [note for note in unwise(loaded.config, set(), {}) if "can read and write data" in note]
    shown = {name: value for name, value, _ in describe(loaded)}
    assert shown["cors"].startswith('{"credentials": true, "origin": true, ')


def test_the_word_true_is_no_origin() -> None:
    for word in ("true", "(every origin)"):
        with pytest.raises(ValidationError, match=r"such as https://rostrum\.example\.com"):
            cors(origin=word)


def test_any_origin_stands_alone() -> None:
    with pytest.raises(ValidationError, match="stands alone"):
        cors(origin=["*", "http://a"])


def test_any_origin_with_credentials_is_refused() -> None:
    (found,) = problems_of(cors={"origin": "*", "credentials": True})

    assert "origin '*' cannot be used with credentials" in found
    assert read(cors={"origin": "*"}, use_session_cookie=False).config.cors == cors(origin="*")


@pytest.mark.parametrize(("member", "name"), [("methods", "methods"), ("allowedHeaders", "allowed_headers")])
def test_lists_may_be_text_with_commas(member: str, name: str) -> None:
    assert getattr(cors(**{member: "GET, POST,"}), name) == ("GET", "POST")
    assert getattr(cors(**{member: ["GET", "POST"]}), name) == ("GET", "POST")


def test_methods_are_upper_case_and_headers_as_given() -> None:
    options = cors(methods="get", exposedHeaders="ETag,X-Request-Id", maxAge=600.0)

    assert options.methods == ("GET",)
    assert options.exposed_headers == ("ETag", "X-Request-Id")
    assert options.max_age == 600


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("methods", ["GE T"], "cors.methods[0] (API_CORS_OPTIONS): must be one name without spaces"),
        ("allowedHeaders", [5], "cors.allowedHeaders[0] (API_CORS_OPTIONS): must be text, not 5"),
        ("exposedHeaders", {}, "cors.exposedHeaders (API_CORS_OPTIONS): must be an array"),
        ("maxAge", -1, "cors.maxAge (API_CORS_OPTIONS): must be greater than or equal to 0, not -1"),
        ("maxAge", "60", "cors.maxAge (API_CORS_OPTIONS): must be a whole number, not '60'"),
        (
            "optionsSuccessStatus",
            400,
            "cors.optionsSuccessStatus (API_CORS_OPTIONS): must be less than or equal to 299, not 400",
        ),
        (
            "preflightContinue",
            True,
            "cors.preflightContinue (API_CORS_OPTIONS): must be false: the manager itself answers",
        ),
        ("credentials", "true", "cors.credentials (API_CORS_OPTIONS): must be true or false, not 'true'"),
        (
            "origin",
            5,
            "cors.origin (API_CORS_OPTIONS): must be an origin, an array of origins, or true for every",
        ),
        ("origin", ["http://a", 5], "cors.origin[1] (API_CORS_OPTIONS): must be text, not 5"),
    ],
)
def test_refused(member: str, value: Any, message: str) -> None:
    (found,) = problems_of(cors={"credentials": True, "origin": "http://a", member: value})

    assert message in found


def test_unknown_members_name_the_nearest_and_the_allowed_ones() -> None:
    found = problems_of(cors={"orgin": "http://a", "vary": True, "allowed_headers": "x"})

    allowed = (
        "The members are credentials, origin, methods, allowedHeaders, exposedHeaders, maxAge, preflightContinue, "
        "optionsSuccessStatus"
    )
    assert found == [
        f"cors.orgin (API_CORS_OPTIONS): is not a member of this setting; did you mean origin? {allowed}",
        f"cors.vary (API_CORS_OPTIONS): is not a member of this setting. {allowed}",
        "cors.allowed_headers (API_CORS_OPTIONS): is not a member of this setting; "
        f"did you mean allowedHeaders? {allowed}",
    ]
