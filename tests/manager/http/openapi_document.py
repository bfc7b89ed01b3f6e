"""The manager's OpenAPI document, for tests that go through all operations."""

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "openapi.json"

DOCUMENT: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
"""Read from the generated file: making it takes a second in each process; test_openapi_conformance.py compares both."""
