"""Warnings about valid but risky settings."""

from collections.abc import Iterator, Mapping

from rostrum.manager.config.database_tls import is_sent_in_plain_text
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.values import is_loopback
from rostrum.manager.config.wording import printable


def unwise(config: ManagerConfig, given: set[str], environment: Mapping[str, str]) -> Iterator[str]:
    """Return a warning for each risky setting; ``given`` has the fields that were set explicitly."""
    yield from _open_without_tls(config)
    yield from _database_without_tls(config, environment)
    yield from _weak_passwords(config)
    yield from _idle_lifetime(config, given)
    yield from _notices_on_sqlite(config, given)
    yield from _pages_of_every_origin(config)
    yield from _approval_without_accounts(config)


def _open_without_tls(config: ManagerConfig) -> Iterator[str]:
    if config.tls_cert is None and not is_loopback(config.host):
        names = f"{OPTIONS['tls_cert'].names} and {OPTIONS['tls_key'].names}"
        yield (
            f"the server accepts connections from other machines (host {config.host}) without TLS, so passwords are "
            f"transferred unencrypted: set {names}, or use a reverse proxy that terminates TLS"
        )


def _database_without_tls(config: ManagerConfig, environment: Mapping[str, str]) -> Iterator[str]:
    if is_sent_in_plain_text(config.store, environment):
        yield (
            "passwords and data may be transferred unencrypted between the manager and the database: add "
            f"?sslmode=verify-full to the address in {OPTIONS['store'].names} (or verify-ca, or require, which does "
            "not check who answers); the variable PGSSLROOTCERT names the file with the certificate authority"
        )


def _weak_passwords(config: ManagerConfig) -> Iterator[str]:
    for user, password in config.predefined_credentials:
        who = f"the password of the predefined user {printable(user)}"
        if password == user:
            yield f"{who} is the same as the user ID"
        elif problem := config.password_policy.problem(password):
            place = OPTIONS["predefined_users"].property
            yield (
                f"{who} {problem}: set another password in {place}; if the user already exists, also change the stored "
                "password"
            )


def _idle_lifetime(config: ManagerConfig, given: set[str]) -> Iterator[str]:
    if "session_lifetime" in given and not config.use_session_cookie:
        yield (
            f"{OPTIONS['session_lifetime'].names} has no effect, because {OPTIONS['use_session_cookie'].names} is false"
        )


def _notices_on_sqlite(config: ManagerConfig, given: set[str]) -> Iterator[str]:
    if "events_notify" in given and config.store.startswith("sqlite:"):
        yield f"{OPTIONS['events_notify'].names} has no effect: only PostgreSQL sends notifications"


def _pages_of_every_origin(config: ManagerConfig) -> Iterator[str]:
    if config.cors is not None and config.cors.allows_every_origin:
        yield (
            f"{OPTIONS['cors'].names} allows all origins (`origin` is true): every web page on which a user signs in "
            "can read and write data with the permissions of this user. List the origins that you trust instead"
        )


def _approval_without_accounts(config: ManagerConfig) -> Iterator[str]:
    missing = [kind for kind in ("user", "group") if kind not in config.approval_kinds]
    if config.approval_kinds and missing:
        yield (
            f"{OPTIONS['approval_kinds'].names} does not contain {' and '.join(missing)}: an administrator who can "
            "change them can give a second account the permission to approve, so that one person can make a change "
            f"alone. Add {' and '.join(missing)}"
        )
