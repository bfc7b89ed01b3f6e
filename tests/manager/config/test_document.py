import json
from typing import Any

import pytest

from rostrum.manager.config import read_config, starter_document
from rostrum.manager.config.document import nest, read_document
from tests.manager.config.samples import SECRET, document, refusal


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({"prot": 1}, "prot: unknown setting; did you mean port?"),
        ({"PORT": 1}, "PORT: unknown setting; did you mean port?"),
        ({"API_PORT": 1}, "API_PORT: unknown setting; did you mean port?"),
        ({"logs": {}}, "logs: unknown setting; did you mean log?"),
        (
            {"sessionLifetime": 1},
            "sessionLifetime: unknown setting; did you mean auth_basic.sessionLifetime?",
        ),
        (
            {"auth_basic": {"useSesionCookie": 1}},
            "auth_basic.useSesionCookie: unknown setting; did you mean auth_basic.useSessionCookie?",
        ),
        ({"log.level": "info"}, 'log.level: must be nested: {"log": {"level": "…"}}'),
        ({"zzzzzzzz": 1}, "zzzzzzzz: unknown setting"),
        ({"log": []}, "log: must be an object with members out of level, format, slow"),
        ({"new\nline\ud800": 1}, "'new\\nline\\ud800': unknown setting"),
        ({"z" * 200: 1}, f"{'z' * 80}…: unknown setting"),
    ],
)
def test_what_is_no_setting(members: dict[str, Any], problem: str) -> None:
    assert [str(p) for p in refusal({**document(), **members}).problems] == [problem]


def test_a_group_that_cannot_be_read_hides_what_would_be_in_it() -> None:
    found = read_document({"token": "text"})

    assert found.failed == {"token_secret", "token_expires_in"}
    assert [p.path for p in refusal(document() | {"token": "text"}).problems] == ["token"]


def test_nesting_is_undone_by_reading() -> None:
    values = {"port": 1, "token_secret": "x", "token_expires_in": 2, "log_level": "info"}

    assert nest(values) == {"port": 1, "token": {"secret": "x", "expiresIn": 2}, "log": {"level": "info"}}
    assert read_document(nest(values)).values == values


def test_it_is_read_without_a_note() -> None:
    document = starter_document("http://127.0.0.1:4356", SECRET, "sqlite:///rostrum.db")

    assert read_config(json.loads(json.dumps(document)), {}).notes == []


def test_everything_is_set() -> None:
    document = starter_document(
        "http://127.0.0.1:99", SECRET, "sqlite:///x.db", users=["admin:a-good-password"], port=99, base="v1"
    )

    assert document == {
        "port": 99,
        "base": "v1",
        "store": "sqlite:///x.db",
        "auth_method": "basic",
        "auth_basic": {
            "predefinedUsers": ["admin:a-good-password"],
            "sessionLifetime": 3600,
            "useSessionCookie": True,
        },
        "cors": {"credentials": True, "origin": "http://127.0.0.1:99"},
        "token": {"secret": SECRET},
    }
    assert read_config(document, {}).config.port == 99
