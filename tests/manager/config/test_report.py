from rostrum.manager.config import describe, options, reference_markdown
from tests.manager.config.samples import FILE, SECRET, read


def test_every_option_is_described_in_order() -> None:
    assert [name for name, _, _ in describe(read())] == [info.property for info in options()]


def test_values_and_origins_in_words() -> None:
    loaded = read(
        {"API_PORT": "99"},
        tls_cert=FILE,
        tls_key=FILE,
        trusted_proxies=["10.0.0.0/8"],
        auth_exclusive_users=["ann"],
        cors={"credentials": True, "origin": "http://a", "methods": "GET"},
    )

    shown = {name: (value, origin) for name, value, origin in describe(loaded)}

    assert shown["port"] == ("99", "variable API_PORT")
    assert shown["host"] == ("127.0.0.1", "default")
    assert shown["tls.cert"] == (FILE, "configuration object")
    assert shown["trustedProxies"][0] == '["10.0.0.0/8"]'
    assert shown["auth_exclusive_users"][0] == '["ann"]'
    assert shown["auth_basic.useSessionCookie"] == ("true", "default")
    assert shown["cors"][0] == (
        '{"credentials": true, "origin": ["http://a"], "methods": ["GET"], "exposedHeaders": [], '
        '"preflightContinue": false, "optionsSuccessStatus": 204}'
    )


def test_what_is_not_set_is_missing() -> None:
    shown = {name: value for name, value, _ in describe(read(use_session_cookie=False, cors=None))}

    assert shown["cors"] == "none"
    assert shown["tls.key"] == "none"
    assert shown["auth_basic.predefinedUsers"] == "[]"


def test_secrets_are_masked() -> None:
    loaded = read(predefined_users=["ann:hunter2"], store="postgresql://u:hunter2@h/d")

    shown = {name: value for name, value, _ in describe(loaded)}

    assert shown["token.secret"] == "••••"
    assert shown["auth_basic.predefinedUsers"] == "••••"
    assert shown["store"] == "postgresql://u:••••@h/d"
    assert "hunter2" not in str(shown)
    assert SECRET not in str(shown)


def test_the_types_in_words() -> None:
    types = {info.field: info.type for info in options()}

    assert types["port"] == "whole number, 0 to 65535"
    assert types["max_body"] == "number of bytes, 1024 to 1099511627776"
    assert types["log_format"] == "`text` or `json`"
    assert types["auth_exclusive_users"] == "array of strings"
    assert types["cors"] == "object"
    assert types["use_session_cookie"] == "boolean"
    assert types["host"] == "string"
    assert types["tls_key"] == "path of a file"


def test_the_reference_page_has_a_row_for_every_option() -> None:
    page = reference_markdown()

    for info in options():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{info.property}` | `{info.env}` |")]
        assert info.text in row
        assert row.count("|") == 6
    assert page.startswith("# Manager settings\n")
    assert page.endswith("|\n")
    assert "| `maxAge` | none | Number of seconds for which" in page
    assert "`auth_method` | `API_AUTH_METHOD` | `basic` | required |" in page
    assert "| number of seconds, 1 to 3155760000 | 3600 s (1 hour) |" in page
    assert "| number of days, -1 to 36525 | -1 (no limit) |" in page
