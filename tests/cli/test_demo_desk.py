"""The configuration of a desktop that finds the demo's manager."""

import json
from pathlib import Path

from rostrum.cli.demo_desk import write_desk


def test_the_address_follows_the_manager_until_somebody_edits_the_file(tmp_path: Path) -> None:
    file = tmp_path / "config" / "system.json"
    for address in ("http://127.0.0.1:4356/api", "http://127.0.0.1:4357/api"):
        write_desk(tmp_path, address)
        system = json.loads(file.read_text())
        assert (system["server"]["url"], system["appStores"]) == (address, [])
        assert system["crashReporter"]["output"]["serverUrl"] == f"{address}/crashes"
    edited = file.read_text().replace("EMEA", "APAC")
    file.write_text(edited)

    write_desk(tmp_path, "http://127.0.0.1:4358/api")

    assert file.read_text() == edited
