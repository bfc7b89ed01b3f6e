import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.errors import RostrumError
from rostrum.manager.config import ConfigInvalid, OriginKind, load_config_file, options, read_config
from tests.manager.config.samples import (
    ENVS,
    NEEDED,
    SAMPLES,
    SECRET,
    Sample,
    document,
    environment,
    problems_of,
    read,
    refusal,
)

EVERY = pytest.mark.parametrize("name", [info.field for info in options()])


def everything_but(name: str, sample: Sample) -> dict[str, Any]:
    return {key: value for key, value in {**NEEDED, **sample.beside}.items() if key != name}


def rest_of_environment(name: str, sample: Sample) -> dict[str, str]:
    rest = environment(**everything_but(name, sample))
    rest.pop(ENVS[name], None)
    return rest


def test_every_option_has_a_sample_that_is_not_the_default() -> None:
    assert set(SAMPLES) == {info.field for info in options()}
    assert [o.field for o in options() if not o.required and SAMPLES[o.field].expected == o.default] == []


@pytest.mark.usual(27)
@pytest.mark.rule("R-2.2-9", "R-2.2-10", "R-2.2-11", "R-5-2")
@EVERY
def test_both_forms_have_the_same_effect(name: str) -> None:
    sample = SAMPLES[name]

    by_object = read_config(document(**{**sample.beside, name: sample.value}), {})
    by_variable = read_config(None, {**rest_of_environment(name, sample), ENVS[name]: sample.text})

    assert getattr(by_object.config, name) == sample.expected
    assert by_object.config == by_variable.config
    assert str(by_object.origins[name]) == "configuration object"
    assert str(by_variable.origins[name]) == f"variable {ENVS[name]}"


@pytest.mark.usual(28)
@EVERY
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_file_holds_the_same_text_as_the_variable(name: str, end: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path = tmp_path / "value"
    path.write_bytes((sample.text + end).encode())

    loaded = read_config(None, {**rest_of_environment(name, sample), f"{ENVS[name]}_FILE": str(path)})

    assert getattr(loaded.config, name) == sample.expected
    assert str(loaded.origins[name]) == f"file named by {ENVS[name]}_FILE"


@pytest.mark.usual(30)
@EVERY
def test_the_object_wins_over_the_variable(name: str) -> None:
    sample = SAMPLES[name]

    loaded = read({ENVS[name]: "wrong in every option \0"}, **{**sample.beside, name: sample.value})

    assert getattr(loaded.config, name) == sample.expected
    assert loaded.origins[name].kind is OriginKind.OBJECT


def test_the_source_of_a_value_is_the_configuration_file_if_there_is_one(tmp_path: Path) -> None:
    given = document()

    assert read_config(given, {}, tmp_path / "rostrum.json").origins["token_secret"].kind is OriginKind.CONFIG_FILE
    assert read_config(given, {}).origins["token_secret"].kind is OriginKind.OBJECT


@pytest.mark.usual(29)
@EVERY
def test_the_variable_wins_over_the_file(name: str) -> None:
    sample = SAMPLES[name]
    env = ENVS[name]

    loaded = read_config(None, {**rest_of_environment(name, sample), env: sample.text, f"{env}_FILE": "/nowhere"})

    assert getattr(loaded.config, name) == sample.expected
    assert f"{env} and {env}_FILE are both set: the file is not read" in loaded.notes


@pytest.mark.usual(27)
@EVERY
def test_an_empty_variable_counts_as_unset(name: str) -> None:
    loaded = read({ENVS[name]: "", f"{ENVS[name]}_FILE": ""})

    assert loaded.notes == []
    assert loaded.config == read().config


def test_defaults_are_named_as_such() -> None:
    loaded = read()

    given = {name for name, origin in loaded.origins.items() if origin.kind is not OriginKind.DEFAULT}
    assert given == set(NEEDED)
    assert list(loaded.origins) == [info.field for info in options()]
    assert str(loaded.origins["port"]) == "default"


def test_null_counts_as_not_given() -> None:
    loaded = read_config({**document(port=None), "tls": None}, {"API_PORT": "99"})

    assert loaded.config.port == 99


def test_a_schema_may_be_named_at_the_top_only() -> None:
    assert read_config({"$schema": "https://x/manager.json", **document()}, {}).notes == []
    assert refusal(document() | {"log": {"$schema": 1}}).problems[0].path == "log.$schema"


def test_all_problems_at_once() -> None:
    values = {"prot": 1, "auth_method": "okta", "log": {"level": 5}, "workers": 2, "tls": "on"}

    error = refusal(values, {"API_MAX_BODY": "much", "API_TLS_CERT": "/x", "API_STORE_FILE": "/nowhere"})

    assert isinstance(error, RostrumError)
    assert [problem.path for problem in error.problems] == [
        "prot",
        "tls",
        "store (API_STORE)",
        "maxBody (API_MAX_BODY)",
        "auth_method (API_AUTH_METHOD)",
        "token.secret (API_TOKEN_SECRET)",
        "log.level (API_LOG_LEVEL)",
        "cors (API_CORS_OPTIONS)",
    ]
    lines = str(error).splitlines()
    assert lines[0] == "the manager's configuration has 8 problems:"
    assert all(f"- {problem}".splitlines()[0] in lines for problem in error.problems)


@pytest.mark.rule("R-2.2-1", "R-2.2-8", "X-D-3", "X-D-4")
def test_nothing_given_shows_the_exact_lines_to_add() -> None:
    error = refusal(None)

    assert [line.strip() for line in str(error).splitlines() if line.startswith("      ")] == [
        '"auth_method": "basic"',
        "API_AUTH_METHOD=basic",
        '"token": {"secret": "<32 random bytes or more>"}',
        "API_TOKEN_SECRET='<32 random bytes or more>'",
        '"cors": {"credentials": true, "origin": "http://127.0.0.1:4356"}',
        """API_CORS_OPTIONS='{"credentials": true, "origin": "http://127.0.0.1:4356"}'""",
    ]


def test_the_lines_to_add_are_taken_except_the_example_of_a_secret() -> None:
    shown = [line.strip() for line in str(refusal({})).splitlines() if line.startswith('      "')]

    written = json.loads("{" + ",".join(shown) + "}")

    (problem,) = refusal(written).problems
    assert problem.path == "token.secret (API_TOKEN_SECRET)"
    assert read_config({**written, "token": {"secret": SECRET}}, {}).notes == []


@pytest.mark.parametrize("wrong", [[], "text", 5, True])
def test_only_an_object_is_a_configuration(wrong: Any) -> None:
    assert "the configuration must be a JSON object" in str(refusal(wrong, environment()))


def test_one_problem_is_counted_in_the_singular() -> None:
    assert str(refusal(document(port=-1))).startswith("the manager's configuration has 1 problem:\n- port (API_PORT): ")


def test_a_huge_number_is_refused_in_words() -> None:
    assert problems_of(session_idle=float("inf")) == ["sessionIdle (API_SESSION_IDLE): must be a whole number"]


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_file_is_read(start: bytes, tmp_path: Path) -> None:
    path = tmp_path / "manager.json"
    path.write_bytes(start + json.dumps({"base": "bücher"}, ensure_ascii=False).encode())

    assert load_config_file(path) == {"base": "bücher"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n  "port": 1,\n  "host" 5\n}', "is not valid JSON: Expecting ':' delimiter at line 3, column 10"),
        (b"", "is not valid JSON: Expecting value at line 1, column 1"),
        (b"{} {}", "is not valid JSON: Extra data at line 1, column 4"),
        (b'{"port": NaN}', "is not valid JSON: NaN is not a number"),
        (b'{"port": 1, "port": 2}', "has the member 'port' twice in one object"),
        (b"[1]", "must contain a JSON object"),
        (b"null", "must contain a JSON object"),
        (b'"\xff"', "is not UTF-8 text: see byte 1"),
        (b"[" * 200_000, "is nested too deep"),
        (b'{"port": ' + b"1" * 5000 + b"}", "holds a number that is too long"),
    ],
)
def test_a_file_that_is_wrong(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "manager.json"
    path.write_bytes(content)

    with pytest.raises(ConfigInvalid) as caught:
        load_config_file(path)

    assert [str(problem) for problem in caught.value.problems] == [f"{path}: {message}"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match="cannot be read: No such file or directory"):
        load_config_file(tmp_path / "none.json")


def test_relative_paths_are_resolved_against_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "certificate.pem").touch()
    (tmp_path / "files").mkdir()
    given = document(tls_cert="certificate.pem", files_folder="files")

    config = read_config(given, {"API_TLS_KEY": "certificate.pem"}, tmp_path / "rostrum.json").config

    assert config.tls_cert == config.tls_key == tmp_path / "certificate.pem"
    assert config.files_folder == tmp_path / "files"
    with pytest.raises(ConfigInvalid, match="cannot be read"):
        read_config(given, {"API_TLS_KEY": "certificate.pem"})
