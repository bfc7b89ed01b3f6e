"""The rules for new passwords."""

from importlib.resources import files

import pytest

from rostrum.base.password_policy import PasswordPolicy

COMMON = files("rostrum.base").joinpath("common_passwords.txt").read_text("utf-8").split()


@pytest.mark.parametrize("password", ["", "a", "1234567", "x" * 7])
def test_a_short_password_is_refused(password: str) -> None:
    assert PasswordPolicy().problem(password) == "must have at least 8 characters"


def test_each_of_the_thousand_most_common_passwords_is_refused_in_any_case() -> None:
    policy = PasswordPolicy(min_length=1)

    assert len(set(COMMON)) == 1000
    for password in COMMON:
        assert policy.problem(password) == "must not be one of the most common passwords"
        assert policy.problem(password.upper()) == "must not be one of the most common passwords"


@pytest.mark.parametrize("password", ["a long password", "kX3vQ0aN8fLc", "ann-password", "пароль-ann"])
def test_other_passwords_are_accepted(password: str) -> None:
    assert PasswordPolicy().problem(password) is None


def test_both_rules_can_be_changed() -> None:
    assert PasswordPolicy(min_length=1, refuse_common=False).problem("password") is None
    assert PasswordPolicy(min_length=1, refuse_common=False).problem("1") is None
    assert PasswordPolicy(min_length=20).problem("a long password") == "must have at least 20 characters"
