"""Writes the software bill of materials (SBOM) of the packages in CycloneDX: what they contain and require.

It lists the Python packages that the manager and the desktop require, in the locked versions that are installed here,
and the npm packages from which the pages and libraries are built. The same commit always gives the same file.
"""

import json
import re
import subprocess
import uuid
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from rostrum.base.distribution import DISTRIBUTION
from tools.installer import closure
from tools.releases import ROOT

EXTRAS = ("manager", "desktop")
NPM_LOCKS = ("admin-ui", "tests/fdc3/node")
"""Folders with the npm packages that are built into pages and libraries."""
NPM_SOURCES = ("admin-ui/src", "platform-ui")
_IMPORT = re.compile(r'(?:\bfrom |^import |\bimport\()"(@?[a-z][\w./-]*)"', re.MULTILINE)
_LOCKED = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<marker>[^\\\n]+?))? \\\n(?P<hashes>(?:    .+\n?)+)", re.MULTILINE
)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_COMMIT = "rostrum:commit"
"""The property with the commit from which the packages were built."""
_NAMESPACE = uuid.UUID("5b1f6f0e-3c0a-5d53-9d6b-6d1f2f0a7c11")


def write_sbom(file: Path, version: str, commit: str, created: datetime) -> int:
    """Write the SBOM of a version; return the number of components."""
    product = Component(
        type=ComponentType.APPLICATION,
        name=DISTRIBUTION,
        version=version,
        bom_ref=DISTRIBUTION,
        purl=PackageURL("pypi", None, DISTRIBUTION, version),
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
    )
    components = [*python_components(), *npm_components()]
    bom = Bom(serial_number=uuid.uuid5(_NAMESPACE, f"{version} {commit}"), components=components)
    bom.metadata.component = product
    bom.metadata.timestamp = created.astimezone(UTC)
    bom.metadata.properties.add(Property(name=_COMMIT, value=commit))
    bom.register_dependency(product, components)
    document = json.loads(JsonV1Dot6(bom).output_as_string())
    file.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return len(components)


def commit_of(file: Path) -> str | None:
    """Return the commit that an SBOM names."""
    if not file.is_file():
        return None
    properties = json.loads(file.read_text(encoding="utf-8"))["metadata"]["properties"]
    return next((str(one["value"]) for one in properties if one["name"] == _COMMIT), None)


@cache
def python_components() -> list[Component]:
    """Return the packages that the wheel requires with its extras, with the hashes of the lock.

    Packages of the lock that are only for other platforms are not installed here, so their licences are not known.
    """
    locked = {(entry["name"], entry["version"]): entry for entry in _locked()}
    found = closure([Requirement(f"{DISTRIBUTION}[{','.join(EXTRAS)}]")], ())
    licences = {(str(canonicalize_name(one.name)), one.version): _declared_license(one) for one in found}
    required = {key for key in licences if key[0] != DISTRIBUTION}
    required |= {key for key, entry in locked.items() if entry["marker"] and not Marker(entry["marker"]).evaluate()}
    return [
        Component(
            name=name,
            version=version,
            bom_ref=f"pypi:{name}@{version}",
            purl=PackageURL("pypi", None, name, version),
            hashes=[
                HashType(alg=HashAlgorithm.SHA_256, content=digest)
                for digest in _HASH.findall(locked[name, version]["hashes"])
            ],
            licenses=_licenses(licences.get((name, version), "")),
        )
        for name, version in sorted(required)
    ]


def _locked() -> list[re.Match[str]]:
    return list(_LOCKED.finditer((ROOT / "requirements/run.txt").read_text(encoding="utf-8")))


def _declared_license(package: Distribution) -> str:
    fields = package.metadata.json
    text = str(fields.get("license_expression") or fields.get("license") or "").strip()
    # Older packages can have the complete text there, or only a classifier.
    if text and "\n" not in text:
        return text
    classifiers = (name.rpartition(" :: ")[2] for name in fields.get("classifier", []) if name.startswith("License ::"))
    return next(classifiers, "")


def _licenses(text: str) -> list[Any]:
    return [LicenseFactory().make_from_string(text)] if text else []


@cache
def npm_components() -> list[Component]:
    """Return the npm packages that the sources of pages and libraries import, with those that they require."""
    imported = set(imported_packages())
    found: dict[tuple[str, str], Component] = {}
    for folder in NPM_LOCKS:
        packages = json.loads((ROOT / folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
        for name, entry in _required(packages, imported):
            found.setdefault((name, entry["version"]), _npm_component(name, entry))
    return [found[key] for key in sorted(found)]


def imported_packages() -> Iterator[str]:
    """Yield the names of the packages that the sources import."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *NPM_SOURCES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split("\0"):
        is_test = ".test." in name or "/testing/" in name
        if name.endswith((".ts", ".tsx")) and not is_test and not name.endswith(".config.ts"):
            for imported in _IMPORT.findall((ROOT / name).read_text(encoding="utf-8")):
                parts = imported.split("/")
                yield "/".join(parts[: 2 if imported.startswith("@") else 1])


def _required(packages: dict[str, Any], names: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the locked packages with these names and all that they require."""
    waiting, done = sorted(names), set()
    while waiting:
        name = waiting.pop()
        entry = packages.get(f"node_modules/{name}")
        if entry is None or name in done:
            continue
        done.add(name)
        yield name, entry
        waiting += entry.get("dependencies", {})


def _npm_component(name: str, entry: dict[str, Any]) -> Component:
    algorithm, _, digest = entry["integrity"].partition("-")
    group, _, short = name.rpartition("/")
    return Component(
        name=short,
        group=group or None,
        version=entry["version"],
        bom_ref=f"npm:{name}@{entry['version']}",
        purl=PackageURL("npm", group or None, short, entry["version"]),
        hashes=[HashType(alg=HashAlgorithm[algorithm.upper().replace("SHA", "SHA_")], content=b64decode(digest).hex())],
        licenses=_licenses(entry.get("license", "")),
    )
