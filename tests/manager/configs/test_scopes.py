import pytest

from rostrum.manager.configs.scopes import merged_text, prefixes


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("", []),
        ("10", ["10"]),
        ("10.1", ["10", "10.1"]),
        ("10.1.2", ["10", "10.1", "10.1.2"]),
        ("10.1.2.3", ["10", "10.1", "10.1.2"]),
        ("10.1.2-beta.4", ["10", "10.1", "10.1.2"]),
        ("10.1+build", ["10", "10.1"]),
        (" 10.1 ", ["10", "10.1"]),
        ("10.x.2", ["10"]),
        ("v10", []),
        (".5", []),
        ("١٠", []),
    ],
)
def test_a_version_counts_by_its_leading_numbers(version: str, expected: list[str]) -> None:
    assert prefixes(version) == expected


def test_a_missing_file_has_an_empty_value_of_its_type() -> None:
    assert merged_text("system.json", []) == "{}"
    assert merged_text("channels.json", []) == "[]"
    assert merged_text("themes.json", []) == "[]"
