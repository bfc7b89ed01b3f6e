"""The configuration of a desktop that finds the demo's manager."""

import json
from pathlib import Path

from rostrum.cli.demo_desktop import write_desk


def test_the_address_follows_the_manager_until_the_file_is_edited(tmp_path: Path) -> None:
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


def test_the_manager_configures_the_desktop_also_with_a_file_of_an_earlier_version(tmp_path: Path) -> None:
    file = tmp_path / "config" / "system.json"
    write_desk(tmp_path, "http://127.0.0.1:4356/api")
    now = json.loads(file.read_text())
    basics = {name: now[name] for name in ("env", "region", "appStores", "server", "crashReporter")}
    file.write_text(json.dumps(basics, indent=2) + "\n")

    write_desk(tmp_path, "http://127.0.0.1:4357/api")

    written = json.loads(file.read_text())
    assert written["server"]["url"] == "http://127.0.0.1:4357/api"
    (source,) = written["systemConfigurations"]["sources"]
    assert source == {"type": "rest", "source": "http://127.0.0.1:4357/api/systemConfig/get"}
