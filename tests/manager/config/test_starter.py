import json

from rostrum.manager.config import read_config, starter_document
from tests.manager.config.samples import SECRET


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
