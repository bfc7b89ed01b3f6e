from typing import Any

import pytest

from tests.manager.config.samples import FILE, NEEDED, document, problems_of, read, refusal

ADD = "add to the configuration file:"


@pytest.mark.rule("R-2.2-8", "R-5-5", "X-D-3")
def test_cookies_need_cors() -> None:
    values = document()
    del values["cors"]

    assert str(refusal(values)).splitlines()[1:] == [
        f"- cors (API_CORS_OPTIONS): is required if session cookies are used; {ADD}",
        '      "cors": {"credentials": true, "origin": "http://127.0.0.1:4356"}',
        "    or set the environment variable:",
        """      API_CORS_OPTIONS='{"credentials": true, "origin": "http://127.0.0.1:4356"}'""",
    ]


def test_without_cookies_cors_may_be_missing_or_partial() -> None:
    assert read(use_session_cookie=False, cors=None).config.cors is None
    assert read(use_session_cookie=False, cors={}).config.cors is not None


@pytest.mark.rule("R-2.2-8", "R-5-5")
@pytest.mark.parametrize(
    ("cors", "line"),
    [
        ({}, '"cors": {"credentials": true, "origin": "http://127.0.0.1:4356"}'),
        ({"origin": "https://a.example"}, '"cors": {"origin": "https://a.example", "credentials": true}'),
        ({"credentials": True, "maxAge": 9}, '"credentials": true, "maxAge": 9, "origin": "http://127.0.0.1:4356"'),
        ({"origin": "*"}, '"cors": {"origin": "http://127.0.0.1:4356", "credentials": true}'),
        ({"origin": ["http://a", "http://b"]}, '"origin": ["http://a", "http://b"], "credentials": true'),
    ],
)
def test_cookies_need_credentials_and_an_origin(cors: Any, line: str) -> None:
    (found,) = problems_of(cors=cors)

    assert "must contain `credentials: true` and an origin if session cookies are used" in found
    assert line in found


@pytest.mark.parametrize(
    ("values", "origin"),
    [
        ({"host": "desk.example", "port": 8080}, "http://desk.example:8080"),
        ({"host": "0.0.0.0", "port": 0}, "http://127.0.0.1:4356"),
        ({"host": "::"}, "http://[::1]:4356"),
        ({"host": "::1", "tls_cert": FILE, "tls_key": FILE}, "https://[::1]:4356"),
    ],
)
def test_the_origin_to_add_is_the_servers_own(values: dict[str, Any], origin: str) -> None:
    (found,) = problems_of(**values, cors={"credentials": True})

    assert f'"origin": "{origin}"' in found


def test_a_wrong_cors_is_reported_once() -> None:
    (found,) = problems_of(cors={"credentials": 5})

    assert found == "cors.credentials (API_CORS_OPTIONS): must be true or false, not 5"


@pytest.mark.parametrize(("given", "missing"), [("tls_cert", "tls.key (API_TLS_KEY)"), ("tls_key", "tls.cert")])
def test_tls_needs_both_files(given: str, missing: str) -> None:
    (found,) = problems_of(**{given: FILE})

    assert found.startswith(missing)
    assert "TLS needs both a certificate and its key" in found


def test_more_workers_need_postgresql() -> None:
    assert problems_of(workers=2) == ["workers (API_WORKERS): more than 1 needs PostgreSQL as the store"]
    assert read(workers=2, store="postgresql://db/x").config.workers == 2
    assert read(workers=1).config.workers == 1


def test_a_rule_waits_for_values_that_are_wrong_themselves() -> None:
    assert len(problems_of(**{**NEEDED, "workers": 3, "store": "mysql://x"})) == 1
