"""The source files and lines of each package, with its budget."""

from tools.measure.budgets import BudgetError, read_budgets
from tools.measure.figure import Figure, columns
from tools.measure.sources import PRODUCT, package_sizes


def measure() -> Figure:
    """Count the lines of all packages."""
    sizes = package_sizes()
    try:
        budgets = read_budgets()
    except BudgetError:
        budgets = {}
    packages = {
        package: {"files": size.files, "lines": size.lines, "budget": budgets.get(package)}
        for package, size in sizes.items()
    }
    product = [size for package, size in sizes.items() if package.startswith(PRODUCT)]
    files, lines = sum(size.files for size in product), sum(size.lines for size in product)
    rows = [("package", "files", "lines", "budget")]
    for package, size in sizes.items():
        rows.append(
            (package, f"{size.files:,}", f"{size.lines:,}", f"{budgets[package]:,}" if package in budgets else "–")
        )
    rows.append((f"all of {PRODUCT}", f"{files:,}", f"{lines:,}", ""))
    return Figure({"packages": packages, PRODUCT: {"files": files, "lines": lines}}, columns(rows))
