from pathlib import Path

import pytest

from tests.manager.config.samples import document, read, refusal


def problem(name: str, text: str) -> str:
    (found,) = refusal(document(), {name: text}).problems
    return str(found)


@pytest.mark.parametrize(("text", "value"), [("true", True), ("YES", True), (" on ", True), ("1", True)])
@pytest.mark.parametrize("negate", [False, True])
def test_flags(text: str, value: bool, negate: bool) -> None:
    opposite = {"true": "false", "YES": "NO", " on ": " off ", "1": "0"}
    written = opposite[text] if negate else text

    assert read({"API_CRASHES_ANONYMOUS": written}).config.crashes_anonymous is (value != negate)


@pytest.mark.parametrize("text", ["maybe", "2", "tru", "null"])
def test_other_words_are_no_flags(text: str) -> None:
    assert problem("API_CRASHES_ANONYMOUS", text) == (
        f"crashes.anonymous (API_CRASHES_ANONYMOUS): must be true or false, not '{text}'"
    )


@pytest.mark.parametrize(("text", "value"), [("8080", 8080), (" 8080 ", 8080), ("+1", 1), ("8080.0", 8080)])
def test_numbers(text: str, value: int) -> None:
    assert read({"API_PORT": text}).config.port == value


@pytest.mark.parametrize("text", ["0x10", "1e3", "1_000", "ten", "٣", "1" * 5000, "NaN", "true"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert "port (API_PORT): must be a number in digits, not '" in problem("API_PORT", text)


def test_fractions_are_not_integers() -> None:
    assert problem("API_PORT", "1.5") == "port (API_PORT): must be a whole number, not 1.5"


@pytest.mark.parametrize("text", ["ann", "ann,bob", "['ann']", '["ann"', '"ann"', "{}", "5", "null"])
def test_arrays_are_json(text: str) -> None:
    found = problem("API_AUTH_EXCLUSIVE_USERS", text)

    assert found.startswith("auth_exclusive_users (API_AUTH_EXCLUSIVE_USERS): ")
    assert found.endswith("""write JSON such as API_AUTH_EXCLUSIVE_USERS='["admin"]'""")


@pytest.mark.parametrize("text", ["http://a", "[]", "{"])
def test_objects_are_json(text: str) -> None:
    values = document()
    del values["cors"]
    (found,) = refusal(values, {"API_CORS_OPTIONS": text}).problems

    assert str(found).endswith(
        """write JSON such as API_CORS_OPTIONS='{"credentials": true, "origin": "http://127.0.0.1:4356"}'"""
    )


def test_strings_are_taken_as_they_are() -> None:
    values = document()
    del values["token"]
    text = ' "quoted", and with spaces around it '

    assert read({"API_STORE": "sqlite:///a b.db"}).config.store == "sqlite:///a b.db"
    assert read({"API_TOKEN_SECRET": text}, token_secret=None).config.token_secret == text


def test_only_one_newline_is_taken_off_a_file(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("x" * 40 + "\n\n")

    assert read({"API_TOKEN_SECRET_FILE": str(path)}, token_secret=None).config.token_secret == "x" * 40 + "\n"


def test_a_mark_before_the_text_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "port"
    path.write_bytes(b"\xef\xbb\xbf99\r\n")

    assert read({"API_PORT_FILE": str(path)}).config.port == 99


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    binary, large = tmp_path / "binary", tmp_path / "large"
    binary.write_bytes(b"\xff")
    large.write_bytes(b"1" * (1024 * 1024 + 1))

    start = "port (API_PORT): the file named by API_PORT_FILE"
    assert problem("API_PORT_FILE", "/nowhere") == f"{start} (/nowhere) cannot be read: No such file or directory"
    assert problem("API_PORT_FILE", str(tmp_path)) == f"{start} ({tmp_path}) cannot be read: Is a directory"
    assert problem("API_PORT_FILE", str(binary)) == f"{start} ({binary}) is not UTF-8 text"
    assert problem("API_PORT_FILE", str(large)) == f"{start} ({large}) is larger than 1048576 bytes"
    assert problem("API_PORT_FILE", "a\0b") == f"{start} ('a\\x00b') cannot be read: the path is not valid"


def test_an_empty_file_sets_nothing_and_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_text("\n")

    loaded = read({"API_PORT_FILE": str(path)})

    assert loaded.config.port == 4356
    assert loaded.notes == ["the file named by API_PORT_FILE is empty: not set by it"]


def test_unknown_variables_are_noted() -> None:
    loaded = read(
        {
            "API_PROT": "1",
            "API_TOKEN_SECRT_FILE": "x",
            "API_XQZ": "x",
            "API_EMPTY_ONE": "",
            "api_port": "1",
            "HOME": "/root",
        }
    )

    assert loaded.notes == [
        "API_PROT is not a setting of the manager; did you mean API_PORT?",
        "API_TOKEN_SECRT_FILE is not a setting of the manager; did you mean API_TOKEN_SECRET_FILE?",
        "API_XQZ is not a setting of the manager",
    ]
