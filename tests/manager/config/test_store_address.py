import re

import pytest

from rostrum.manager.config.store_address import check_store_address, hide_store_password, is_postgresql


@pytest.mark.parametrize(
    ("address", "checked"),
    [
        ("sqlite:///rostrum.db", "sqlite:///rostrum.db"),
        ("sqlite:////var/lib/rostrum/my file.db", "sqlite:////var/lib/rostrum/my file.db"),
        ("SQLite:///x.db", "sqlite:///x.db"),
        ("postgresql://u:p@h:5432/d", "postgresql://u:p@h:5432/d"),
        ("postgres://h/d", "postgresql://h/d"),
        ("postgresql:///d?host=/run/postgresql", "postgresql:///d?host=/run/postgresql"),
        ("postgresql://u:p%40ss@[::1]/d", "postgresql://u:p%40ss@[::1]/d"),
    ],
)
def test_taken(address: str, checked: str) -> None:
    assert check_store_address(address) == checked
    assert is_postgresql(checked) == checked.startswith("postgresql")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("", "is not the address of a database: write sqlite:///path"),
        ("rostrum.db", "is not the address of a database"),
        ("mysql://u:hunter2@h/d", "'mysql' is not supported: write sqlite:///path"),
        ("mongodb+srv://u:hunter2@h/d", "'mongodb+srv' is not supported"),
        ("postgresql+asyncpg://u:hunter2@h/d", "'postgresql+asyncpg' is not supported"),
        ("sqlite://rostrum.db", "three slashes"),
        ("sqlite:///", "three slashes"),
        ("postgresql://", "is not a PostgreSQL address"),
        ("postgresql://u:hunter2@h:port/d", "is not a PostgreSQL address"),
        ("postgresql://u:hunter2@[::1/d", "is not a PostgreSQL address"),
        ("postgresql://u:hunter2@h\u2100x/d", "is not a PostgreSQL address"),
        ("postgresql://u:hun/ter2@h/d", "percent-encoded"),
        ("postgresql://u:12#hunter2@h/d", "percent-encoded"),
        ("postgresql://u:12/hunter2@h/d", "percent-encoded"),
        ("postgresql://u:12?hunter2@h/d", "percent-encoded"),
        ("postgresql://u:hunter2@h/d\n", "is not the address"),
    ],
)
def test_refused_without_showing_the_password(address: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        check_store_address(address)

    assert "hunter2" not in str(caught.value)
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("sqlite:///rostrum.db", "sqlite:///rostrum.db"),
        ("postgresql://h/d", "postgresql://h/d"),
        ("postgresql://u@h/d", "postgresql://u@h/d"),
        ("postgresql://u:hunter2@h:1/d?x=1", "postgresql://u:••••@h:1/d?x=1"),
        ("postgresql://u:hun@ter2@h/d", "postgresql://u:••••@h/d"),
        ("postgresql://u:hun:ter2@h/d", "postgresql://u:••••@h/d"),
        ("postgresql://h/d?password=hunter2&x=1", "postgresql://h/d?password=••••&x=1"),
        ("postgresql://h/d?sslPassword=hunter2", "postgresql://h/d?sslPassword=••••"),
    ],
)
def test_shown(address: str, shown: str) -> None:
    assert hide_store_password(check_store_address(address)) == shown
