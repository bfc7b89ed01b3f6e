"""Imports point one way: no module imports itself through others, not even for type checks or inside functions."""

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("rostrum", cache_dir=None)


@pytest.mark.parametrize("package", ["rostrum.gateway", "rostrum.desktop", "rostrum.manager"])
def test_no_module_imports_itself_through_others(graph: grimp.ImportGraph, package: str) -> None:
    modules = {name for name in graph.modules if name.startswith(f"{package}.")}
    imports = {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}
    assert len(modules) > 30
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")
