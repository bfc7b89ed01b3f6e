"""Contracts for import-linter: what topics of a package may import, and which roles its modules have.

Imports of the same role are allowed, but cycles are not. The graph also contains imports below ``TYPE_CHECKING``.
"""

import fnmatch
from graphlib import CycleError, TopologicalSorter

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields
from importlinter.application import output


class FoundationContract(Contract):
    """The units of a package that all topics use. They import only each other.

    Attributes:
        package: The package whose units are checked.
        units: The names of these units: modules or folders of the package.

    """

    package = fields.StringField()
    units = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - import-linter's shape
        """Find imports that lead to other units, and units that do not exist."""
        package, units = f"{self.package}.", {str(unit) for unit in self.units}  # type: ignore[attr-defined]
        existing = {name.removeprefix(package) for name in graph.find_children(str(self.package))}
        problems = [f"there is no unit {unit}" for unit in sorted(units - existing)]
        for name in sorted(graph.modules):
            if name.startswith(package) and _unit(name, package) in units:
                others = graph.find_modules_directly_imported_by(name)
                problems += [
                    f"{name} imports the topic {_unit(other, package)} ({other})"
                    for other in sorted(others)
                    if other.startswith(package) and _unit(other, package) not in units
                ]
        return ContractCheck(kept=not problems, metadata={"problems": problems})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what was found."""
        _print_problems(check)


class RolesContract(Contract):
    """The roles of the modules of one package.

    Attributes:
        package: The package whose modules are checked.
        roles: Lines such as ``routes: *.routes, http.**``. The first pattern that fits a module decides.
        layers: The roles, from the highest to the lowest.
    """

    package = fields.StringField()
    roles = fields.ListField(subfield=fields.StringField())
    layers = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - import-linter's shape
        """Find modules without a role, imports that lead upwards, and a cycle."""
        package = str(self.package)
        modules = {name for name in graph.modules if name.startswith(f"{package}.")}
        packages = {name for name in modules if graph.find_children(name)}
        role = {name: self._role(name.removeprefix(f"{package}."), is_package=name in packages) for name in modules}
        height = {name: number for number, name in enumerate(reversed(list(self.layers)))}  # type: ignore[call-overload]
        imports = {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}
        without_role = sorted(name for name in modules if role[name] not in height)
        upwards = sorted(
            f"{name} ({role[name]}) imports {other} ({role[other]})"
            for name, others in imports.items()
            for other in others
            if height.get(role[name], 0) < height.get(role[other], 0)
        )
        problems = [f"{name} has no role" for name in without_role] + upwards
        problems += _cycle(imports)
        return ContractCheck(kept=not problems, metadata={"problems": problems})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what was found."""
        _print_problems(check)

    def _role(self, name: str, *, is_package: bool) -> str:
        path = f"{name}.__init__" if is_package else name
        for line in self.roles:  # type: ignore[attr-defined]
            role, _, patterns = line.partition(":")
            if any(_fits(path, pattern.strip()) for pattern in patterns.split(",")):
                return str(role)
        return ""


def _print_problems(check: ContractCheck) -> None:
    for problem in check.metadata["problems"]:
        output.print_error(problem, bold=False)


def _unit(name: str, package: str) -> str:
    return name.removeprefix(package).partition(".")[0]


def _fits(name: str, pattern: str) -> bool:
    """Compare part by part; ``**`` at the end stands for one or more parts."""
    parts, wanted = name.split("."), pattern.split(".")
    if wanted[-1] == "**":
        wanted = wanted[:-1] + ["*"] * max(1, len(parts) - len(wanted) + 1)
    return len(parts) == len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def _cycle(imports: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return ["import cycle: " + " -> ".join(error.args[1])]
    return []
