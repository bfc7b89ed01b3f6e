"""The largest circle of units is found in a small package and in the manager."""

import sys
from pathlib import Path

import grimp
import pytest

from tools.measure import circle

MODULES = {
    "__init__.py": "",
    "a/__init__.py": "",
    "a/model.py": "from planted.b import service\n",
    "b/__init__.py": "",
    "b/service.py": "def later():\n    import planted.c\n",
    "c.py": "import planted.d\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import planted.a.model\n",
    "d.py": "import planted.e\n",
    "e.py": "import planted.d\n",
    "f.py": "import planted.a.model\nimport planted.f\nimport sys\n",
}


@pytest.fixture
def imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> circle.Imports:
    for name, text in MODULES.items():
        (tmp_path / "planted" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "planted" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return circle.unit_imports(grimp.build_graph("planted", cache_dir=None), "planted")


def test_units_import_units_also_in_functions_and_for_type_checks(imports: circle.Imports) -> None:
    assert "planted" not in sys.modules
    assert imports == {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}


def test_the_largest_circle_has_the_units_that_reach_each_other(imports: circle.Imports) -> None:
    assert circle.largest_circle(imports) == ["a", "b", "c"]
    assert circle.mutual_imports(imports) == [("d", "e")]
    assert circle.largest_circle({"a": {"b"}, "b": set()}) == []


@pytest.mark.long
def test_the_circle_of_the_manager_is_measured() -> None:
    figure = circle.measure()
    members, outside = figure.values["members"], figure.values["outside"]

    assert len(members) == figure.values["circle"]
    assert len(members) + len(outside) == figure.values["units"]
    assert {"apps", "http", "storage"} <= {*members, *outside}
    # It starts everything, so that nothing imports it.
    assert "server" in outside
    assert str(figure.values["pairs"]) in figure.lines[0]
