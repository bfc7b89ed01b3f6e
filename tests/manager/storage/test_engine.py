"""How databases are opened: what addresses mean, and what faults may say."""

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import StatementError

from rostrum.base.errors import RostrumError
from rostrum.manager.storage import Unavailable
from rostrum.manager.storage.sql.engine import Database, _with_ssl
from tests.conftest import manager_config


def test_the_usual_word_for_tls_is_taken() -> None:
    url = _with_ssl(make_url("postgresql://rostrum@db.example.com/rostrum?sslmode=require&application_name=x"))

    assert dict(url.query) == {"ssl": "require", "application_name": "x"}


async def test_a_statement_that_fails_does_not_tell_its_parameters(store: str) -> None:
    database = Database(store)
    try:
        with pytest.raises((StatementError, Unavailable)) as failed:
            async with database.read() as connection:
                await connection.execute(text("SELECT nothing FROM nowhere WHERE x = :x"), {"x": "distinctive"})
    finally:
        await database.close()

    assert "distinctive" not in f"{failed.value} {failed.value.__cause__}"


def test_a_database_in_memory_is_refused_in_words() -> None:
    with pytest.raises(RostrumError, match="name a file"):
        manager_config("sqlite:///:memory:")


@pytest.mark.parametrize("user", ["*", "(system)", "a" * 257, "..", "tab\there"])
def test_a_predefined_user_has_an_id_that_users_can_have(sqlite: str, user: str) -> None:
    with pytest.raises(RostrumError, match="must name a user"):
        manager_config(sqlite, auth_basic={"predefinedUsers": [f"{user}:a password"]})
