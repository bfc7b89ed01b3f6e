"""Files checked against the catalogue, with the place of each problem."""

from pathlib import Path

from rostrum.sources.check import check_paths

FILE = """{
  // JSON5 is taken
  "splash": {"timout": 5000, "width": "wide"},
  "windowManagement": {"snapping": {"edgeDistance": 99}},
}
"""


def found(path: Path, *, strict: bool = False) -> list[tuple[int, int, str, str]]:
    findings = check_paths([path], version="10.1", strict=strict)
    return [(finding.line, finding.column, finding.severity.value, finding.path) for finding in findings]


def test_every_problem_is_told_with_its_place_in_the_order_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(FILE)

    assert found(tmp_path) == [
        (3, 14, "warning", "splash.timout"),
        (3, 30, "error", "splash.width"),
        (4, 37, "error", "windowManagement.snapping.edgeDistance"),
    ]


def test_strictly_an_unknown_key_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(FILE)

    assert found(tmp_path, strict=True)[0][2] == "error"


def test_a_syntax_error_shows_the_line(tmp_path: Path) -> None:
    (tmp_path / "themes.json").write_text('[\n  {"name": }\n]')

    (finding,) = check_paths([tmp_path], version="10.1")

    assert (finding.line, finding.severity.value) == (2, "error")
    assert '{"name": }' in finding.message


def test_a_file_that_is_fine_or_unknown_to_the_catalogue_has_no_problems(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text('{"splash": {"timeout": 1}}')
    (tmp_path / "custom.json").write_text('{"anything": true}')

    assert found(tmp_path) == []


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "system.json").mkdir()

    (finding,) = check_paths([tmp_path], version="10.1")

    assert "cannot be read" in finding.message
