"""Contents of the platform's own pages that no other service has: versions and licences, settings, log files."""

import json
import platform as machine
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from rostrum import PLATFORM_VERSION, __version__
from rostrum.base.distribution import DISTRIBUTION
from rostrum.desktop.errors import DesktopError
from rostrum.settings.catalogue import catalogue
from rostrum.sources.explain import Explainer, SettingExplanation
from rostrum.sources.load import Loaded

_REQUIREMENT = re.compile(r"^[A-Za-z0-9._-]+")
_LONGEST_VALUE = 2000
_LONGEST_LICENCE = 60
_TAIL_BYTES = 128 * 1024
_MOST_LOGS = 200
_DEFAULT = "Default"


def about(loaded: Loaded) -> dict[str, Any]:
    """Return the versions, and the components with their licences."""
    settings = loaded.settings
    facts = {
        "Version": __version__,
        "Platform version": loaded.early.start.version or PLATFORM_VERSION,
        "Build": "" if settings.build is None else str(settings.build),
        "User interface": settings.ui_version or "",
        "Environment": loaded.early.pair.name,
        "Python": machine.python_version(),
        "System": f"{machine.system()} {machine.machine()}",
    }
    return {
        "facts": [{"label": label, "value": value} for label, value in facts.items() if value],
        "components": components(),
    }


def components() -> list[dict[str, str]]:
    """List the installed packages of this product, with their licences."""
    found: dict[str, Distribution] = {}
    waiting = [DISTRIBUTION]
    while waiting:
        name = waiting.pop()
        key = name.casefold().replace("_", "-")
        if key in found:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:
            # An extra that is not installed, or for another system.
            continue
        found[key] = package
        waiting += _requirements(package, with_extras=key == DISTRIBUTION)
    found.pop(DISTRIBUTION, None)
    return [
        {"name": package.metadata["Name"], "version": package.version, "licence": _licence(package)}
        for _, package in sorted(found.items())
    ]


def effective_settings(loaded: Loaded) -> list[dict[str, str]]:
    """List every setting with its effective value and the source of that value."""
    explainer = Explainer(loaded)
    plain = (path for path, declared in catalogue().items() if not declared.container and "[]" not in path)
    explained = (explainer.explain(path) for path in plain)
    return [
        {"path": one.path, "value": _shown(one.value), "source": _source(one)}
        for one in sorted(explained, key=lambda one: one.path.casefold())
    ]


def log_names(folder: Path) -> list[str]:
    """List the log files, the most recently written first."""
    try:
        files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
        files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DesktopError(f"the log folder cannot be read: {error.strerror or error}") from error
    return [path.relative_to(folder).as_posix() for path in files[:_MOST_LOGS]]


def log_tail(folder: Path, name: str) -> str:
    """Return the end of a listed log file."""
    if name not in log_names(folder):
        raise DesktopError(f"there is no log file {name!r}")
    try:
        with (folder / name).open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            text = file.read(_TAIL_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise DesktopError(f"the log file cannot be read: {error.strerror or error}") from error
    # The first line may be truncated.
    return text if size <= _TAIL_BYTES else text.partition("\n")[2]


def _requirements(package: Distribution, *, with_extras: bool) -> Iterator[str]:
    for line in package.requires or ():
        name = _REQUIREMENT.match(line)
        if name is not None and (with_extras or "extra ==" not in line):
            yield name.group()


def _licence(package: Distribution) -> str:
    def first(name: str) -> str:
        return str((package.metadata.get_all(name) or [""])[0]).strip()

    # Some packages contain the full text of their licence there.
    short = first("License")
    if len(short) > _LONGEST_LICENCE or "\n" in short:
        short = ""
    classifiers = map(str, package.metadata.get_all("Classifier") or ())
    classified = [line.rpartition(":: ")[2] for line in classifiers if line.startswith("License ::")]
    return first("License-Expression") or short or ", ".join(classified) or "See the package"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def _source(explanation: SettingExplanation) -> str:
    if explanation.origin is not None:
        where = explanation.origin
        return f"{where.source} ({where.file})" if where.file and where.file not in where.source else where.source
    sources = {member.where.source for member in explanation.members}
    return ", ".join(sorted(sources)) or _DEFAULT
