"""Secrets never appear in a message, a note, a description or a repr."""

import json
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.config import ConfigInvalid, describe, load_config_file, read_config
from tests.manager.config.samples import document, environment

MARK = "Zq7distinctive"
LONG = f"{MARK}-0123456789-0123456789-0123456789"
DATABASE = f"postgresql://user:{MARK}@db/x"

TOKENS: list[Any] = [LONG, MARK, [LONG], {LONG: LONG}, {"secret": LONG}]
USERS: list[Any] = [
    [f"ann:{LONG}"],
    [f"ann:{MARK}", f"ann:{LONG}"],
    [MARK],
    [f":{MARK}"],
    [[MARK]],
    [{MARK: MARK}],
    MARK,
    {MARK: 1},
    {f"ann:{MARK}": f"ann:{MARK}"},
]
STORES: list[Any] = [
    DATABASE,
    f"mysql://user:{MARK}@db/x",
    f"postgresql://user:{MARK}@db:bad/x",
    f"postgresql://user:1#{MARK}@db/x",
    f"postgresql://user:{MARK}\u2100@db\u2100/x",
    f"postgresql://db/x?password={MARK}",
    f"user:{MARK}@db",
    [f"postgresql://user:{MARK}@db/x"],
]
CASES = [
    *[("token_secret", value) for value in TOKENS],
    *[("predefined_users", value) for value in USERS],
    *[("store", value) for value in STORES],
]


def all_that_is_said(document: Any, environment: Mapping[str, str]) -> str:
    try:
        loaded = read_config(document, environment)
    except ConfigInvalid as error:
        shown = "".join(traceback.format_exception(error))
        return "\n".join([shown, str(error), repr(error), repr(error.problems)])
    return "\n".join([str(describe(loaded)), str(loaded.notes), repr(loaded), str(loaded.config)])


@pytest.mark.usual(27)
@pytest.mark.parametrize(("name", "value"), CASES)
@pytest.mark.parametrize("others", [{}, {"port": -1, "workers": 5}, {"password_min_length": 128}, {"host": "::"}])
def test_in_the_object(name: str, value: Any, others: dict[str, Any]) -> None:
    assert MARK not in all_that_is_said(document(**{**others, name: value}), {})


@pytest.mark.usual(25)
@pytest.mark.parametrize(("name", "value"), CASES)
@pytest.mark.parametrize("end", ["", "]", "\0", "\ud800"])
def test_in_the_variable(name: str, value: Any, end: str) -> None:
    values = environment(**{name: value})
    changed = {env: text + end if MARK in text else text for env, text in values.items()}

    assert MARK not in all_that_is_said(None, changed)


@pytest.mark.parametrize(("name", "value"), CASES)
def test_in_the_file(name: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    values = environment(**{name: value})
    (env,) = [env for env, text in values.items() if MARK in text]
    path.write_text(values.pop(env))

    assert MARK not in all_that_is_said(None, {**values, f"{env}_FILE": str(path)})


@pytest.mark.parametrize("env", ["API_TOKEN_SECRET_FILE", "API_AUTH_METHOD_BASIC_USERS_FILE", "API_STORE_FILE"])
def test_where_the_path_of_its_file_belongs(env: str) -> None:
    assert MARK not in all_that_is_said({}, {env: LONG})


@pytest.mark.parametrize("group", ["token", "auth_basic"])
def test_in_place_of_a_group_and_beside_a_misspelt_name(group: str) -> None:
    assert MARK not in all_that_is_said({**document(), group: LONG}, {})
    assert MARK not in all_that_is_said({**document(), group: [LONG]}, {})
    assert MARK not in all_that_is_said({**document(), group: {"secrt": LONG, "users": [LONG]}}, {})
    assert MARK not in all_that_is_said(document(), {"API_TOKEN_SECRT": LONG})


@pytest.mark.parametrize("wrong", ['{"secret": "%s"', '{"secret": "%s" 5}', '{"a": "\\q%s"}', '{"%s', '["%s"]'])
def test_in_a_file_with_a_mistake(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "manager.json"
    path.write_text(wrong.replace("%s", LONG))

    with pytest.raises(ConfigInvalid) as caught:
        load_config_file(path)

    assert MARK not in "".join(traceback.format_exception(caught.value))


@pytest.mark.long
@given(before=st.text(), after=st.text(), name=st.sampled_from(["token_secret", "predefined_users"]))
def test_with_anything_around_it(before: str, after: str, name: str) -> None:
    # Before a colon stands the id of a user, which may be shown.
    text = f"{before.replace(':', '')}{MARK}{after.replace(':', '')}"
    for value in (text, [text], [f"ann:{text}"], {text: text}):
        assert MARK not in all_that_is_said(document(**{name: value}), {})
        written = value if isinstance(value, str) else json.dumps(value)
        assert MARK not in all_that_is_said(None, environment(**{name: written}))
