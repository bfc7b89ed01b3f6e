"""Writes the references that are made from the code; with --check, compares instead.

python tools/generate.py           write them
python tools/generate.py --check   fail when one of them is stale
"""

import argparse
import difflib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rostrum.cli.schemas import Document, schema_of
from rostrum.gateway.describe import reference as gateway_reference
from rostrum.manager.app import create_app
from rostrum.manager.config import read_config, reference_markdown, starter_document
from rostrum.settings.describe import form
from rostrum.settings.describe import reference as settings_reference
from rostrum.settings.kinds import SettingsFile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools import fdc3_conformance, rules, typescript
from tools.generated_input import STORED_INPUT, stored_input_text

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Made by `make generate`; do not edit. -->\n\n"


def main() -> int:
    """Write or compare every generated file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    stale = [path for path, text in generated() if not up_to_date(path, text, write=not check)]
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
    if check and stale:
        print("run `make generate` and commit what it writes")
        return 1
    return 0


def generated() -> Iterator[tuple[Path, str]]:
    """Give each generated file and the text it should have."""
    openapi = openapi_document()
    reference = ROOT / "docs" / "reference"
    yield reference / "manager-settings.md", NOTE + reference_markdown()
    yield reference / "http-api.md", NOTE + http_api(openapi)
    yield reference / "settings.md", NOTE + settings_reference()
    yield reference / "gateway.md", NOTE + gateway_reference()
    yield reference / "rules.md", NOTE + rules.page()
    yield reference / "fdc3-conformance.md", NOTE + fdc3_conformance.conformance_page(fdc3_conformance.read_record())
    for document in Document:
        text = json.dumps(schema_of(document), indent=2, ensure_ascii=False) + "\n"
        yield ROOT / "schemas" / f"{document}.schema.json", text
    forms = {"documents": [form(kind) for kind in (SettingsFile.SYSTEM, SettingsFile.GILDING, SettingsFile.ENV)]}
    yield ROOT / "schemas" / "settings-form.json", json.dumps(forms, indent=1, ensure_ascii=False) + "\n"
    yield ROOT / "admin-ui" / "src" / "api" / "generated" / "client.ts", typescript.client(openapi, "/api")
    yield STORED_INPUT, stored_input_text(openapi)
    yield reference / "openapi.json", json.dumps(openapi, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def up_to_date(path: Path, text: str, *, write: bool) -> bool:
    """Compare a file with its text; write it when asked to and needed."""
    found = path.read_text(encoding="utf-8") if path.exists() else ""
    if found == text:
        return True
    if write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    else:
        lines = difflib.unified_diff(found.splitlines(), text.splitlines(), "committed", "generated", lineterm="", n=1)
        print("\n".join(list(lines)[:20]))
    return False


def openapi_document() -> dict[str, Any]:
    """Make the OpenAPI document of a manager with default settings."""
    # An application creates its database file, although nothing reads it here.
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder).as_posix()}/unused.db"
        starter = starter_document("http://127.0.0.1:4356", "only for generating the reference pages", store)
        return create_app(read_config(starter, {}).config).openapi()


def http_api(openapi: dict[str, Any]) -> str:
    """Write the page of every operation."""
    groups: dict[str, list[str]] = {}
    for path, item in sorted(openapi["paths"].items()):
        for method, operation in item.items():
            codes = " ".join(sorted(operation["responses"]))
            text = (operation.get("description") or "").replace("\n", " ").strip()
            row = f"| `{method.upper()} {path}` | {text} | {codes} |"
            groups.setdefault(operation["tags"][0], []).append(row)
    parts = [
        "# HTTP API\n",
        "Every operation of the manager under the default base path. The complete document, with bodies, is "
        "`openapi.json` beside this page and at `/api/openapi.json` of a running server; `/api/docs` shows it.\n",
    ]
    for tag, rows in sorted(groups.items()):
        parts += [f"## {tag}\n", "| Operation | Description | Status codes |\n|---|---|---|", *rows, ""]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
