import pytest

from tests.manager.config.samples import FILE, read

LIFETIME = "auth_basic.sessionLifetime (API_AUTH_METHOD_BASIC_SESSION_LIFETIME) has no effect"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost", "LOCALHOST", "x.localhost"])
def test_loopback_needs_no_tls(host: str) -> None:
    assert read(host=host).notes == []


@pytest.mark.rule("R-1-8", "R-5-9")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "manager.example"])
def test_other_addresses_without_tls_are_noted(host: str) -> None:
    (note,) = read(host=host).notes

    assert note.startswith(f"the server accepts connections from other machines (host {host}) without TLS")
    assert "tls.cert (API_TLS_CERT)" in note
    assert read(host=host, tls_cert=FILE, tls_key=FILE).notes == []


def test_weak_passwords_are_noted_by_user() -> None:
    advice = (
        "set another password in auth_basic.predefinedUsers; if the user already exists, also change the stored "
        "password"
    )
    users = ["ann:short", "bob:longenough", "administrator:administrator", "eve:eight888", "tom:password"]

    assert read(predefined_users=users).notes == [
        f"the password of the predefined user ann must have at least 8 characters: {advice}",
        "the password of the predefined user administrator is the same as the user ID",
        f"the password of the predefined user tom must not be one of the most common passwords: {advice}",
    ]
    assert read(predefined_users=["ann:short"], password_min_length=5).notes == []
    assert read(predefined_users=["tom:password"], password_refuse_common=False).notes == []


@pytest.mark.rule("R-2.2-5")
def test_a_lifetime_without_cookies_is_noted() -> None:
    (note,) = read(session_lifetime=60, use_session_cookie=False).notes
    (same,) = read({"API_AUTH_METHOD_BASIC_SESSION_LIFETIME": "60"}, use_session_cookie=False).notes

    assert note.startswith(LIFETIME)
    assert same == note
    assert read(use_session_cookie=False).notes == []
    assert read(session_lifetime=60).notes == []


def test_notices_of_a_database_that_sends_none_are_noted() -> None:
    (note,) = read(events_notify=False).notes

    assert note.startswith("events.notify (API_EVENTS_NOTIFY) has no effect")
    assert read(events_notify=False, store="postgresql://localhost/x").notes == []


EXPOSED = "passwords and data may be transferred unencrypted between the manager and the database"


@pytest.mark.parametrize(
    "store",
    [
        "postgresql://u:hunter2@db/x",
        "postgresql://db.example:5432/x?sslmode=prefer",
        "postgresql://192.0.2.1/x?sslmode=disable",
        "postgresql://[2001:db8::1]/x?ssl=allow",
        "postgresql://localhost,db/x",
        "postgresql://localhost/x?host=db",
        "postgresql:///x?host=/run/postgresql&host=db:5432",
        "postgresql://db/x?sslmode=require&sslmode=disable",
    ],
)
def test_a_database_elsewhere_without_tls_is_noted(store: str) -> None:
    (note,) = read(store=store).notes
    assert EXPOSED in note
    assert "sslmode=verify-full" in note
    assert "store (API_STORE)" in note
    assert "hunter2" not in note


@pytest.mark.parametrize(
    "store",
    [
        "sqlite:///x.db",
        "postgresql://localhost:5432/x",
        "postgresql://127.0.0.1/x",
        "postgresql://[::1]/x?sslmode=disable",
        "postgresql:///x",
        "postgresql:///x?host=/run/postgresql",
        "postgresql://u@%2Frun%2Fpostgresql/x",
        *(f"postgresql://db/x?sslmode={mode}" for mode in ("require", "verify-ca", "verify-full")),
        "postgresql://db/x?ssl=require",
    ],
)
def test_a_database_that_is_here_or_encrypted_is_not_noted(store: str) -> None:
    assert read(store=store).notes == []


def test_the_variables_of_postgresql_count() -> None:
    assert read({"PGSSLMODE": "require"}, store="postgresql://db/x").notes == []
    assert len(read({"PGSSLMODE": "require"}, store="postgresql://db/x?sslmode=allow").notes) == 1
    assert len(read({"PGHOST": "db"}, store="postgresql:///x").notes) == 1


def test_approval_that_one_person_can_give_with_two_accounts_is_noted() -> None:
    (note,) = read(approval_kinds=("app",)).notes
    assert "does not contain user and group" in note
    (note,) = read(approval_kinds=("app", "user")).notes
    assert "does not contain group" in note
    assert read(approval_kinds=("user", "group")).notes == []
