"""The roles of the manager's modules: which imports the contract refuses."""

from pathlib import Path

import grimp
import pytest
from importlinter.domain.contract import ContractCheck

from tools.import_roles import FoundationContract, RolesContract

OPTIONS = {
    "package": "rostrum.manager",
    "roles": ["routes: *.routes", "model: *.model, *.__init__", "service: *.**"],
    "layers": ["routes", "service", "model"],
}


def check(*imports: tuple[str, str], options: dict[str, object] | None = None) -> ContractCheck:
    graph = grimp.ImportGraph()
    for name in ("rostrum", "rostrum.manager", "rostrum.manager.apps", "rostrum.manager.users"):
        graph.add_module(name)
    for importer, imported in imports:
        graph.add_import(
            importer=f"rostrum.manager.{importer}",
            imported=f"rostrum.manager.{imported}",
            line_number=1,
            line_contents="import",
        )
    session = {"root_packages": ["rostrum"]}
    contract = RolesContract("roles", session_options=session, contract_options={**OPTIONS, **(options or {})})
    return contract.check(graph, verbose=False)


def test_imports_of_lower_and_equal_roles_are_allowed() -> None:
    checked = check(
        ("apps.routes", "apps.service"), ("apps.service", "users.service"), ("users.service", "users.model")
    )

    assert checked.kept


@pytest.mark.parametrize(
    ("imports", "problem"),
    [
        (
            [("apps.model", "users.service")],
            "rostrum.manager.apps.model (model) imports rostrum.manager.users.service (service)",
        ),
        (
            [("apps.service", "apps.routes")],
            "rostrum.manager.apps.service (service) imports rostrum.manager.apps.routes (routes)",
        ),
        ([("apps.a", "users.b"), ("users.b", "apps.a")], "import cycle"),
        ([("apps.a", "lonely")], "rostrum.manager.lonely has no role"),
    ],
)
def test_other_imports_are_refused(imports: list[tuple[str, str]], problem: str) -> None:
    checked = check(*imports)

    assert not checked.kept
    assert [found for found in checked.metadata["problems"] if problem in found]


def test_the_contract_is_used() -> None:
    settings = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text()

    assert "roles: tools.import_roles.RolesContract" in settings


def foundation(*imports: tuple[str, str], units: tuple[str, ...] = ("storage", "http")) -> list[str]:
    graph = grimp.ImportGraph()
    for name in ("rostrum", "rostrum.manager", *(f"rostrum.manager.{unit}" for unit in ("storage", "http", "apps"))):
        graph.add_module(name)
    for importer, imported in imports:
        graph.add_import(
            importer=f"rostrum.manager.{importer}",
            imported=f"rostrum.manager.{imported}",
            line_number=1,
            line_contents="import",
        )
    contract = FoundationContract(
        "foundation",
        session_options={"root_packages": ["rostrum"]},
        contract_options={"package": "rostrum.manager", "units": list(units)},
    )
    problems: list[str] = contract.check(graph, verbose=False).metadata["problems"]
    return problems


def test_what_topics_use_imports_no_topic() -> None:
    allowed = (("apps.service", "storage"), ("http.errors", "storage"))

    assert foundation(*allowed) == []
    assert foundation(*allowed, ("storage", "apps.repository"), ("http.routes", "apps")) == [
        "rostrum.manager.http.routes imports the topic apps (rostrum.manager.apps)",
        "rostrum.manager.storage imports the topic apps (rostrum.manager.apps.repository)",
    ]


def test_a_unit_of_the_contract_must_exist() -> None:
    assert foundation(units=("storage", "attic")) == ["there is no unit attic"]
