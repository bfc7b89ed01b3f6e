"""The desktop of the demo: a configuration that names the demo's manager, and lets the manager configure the rest."""

import json
import re
from pathlib import Path
from typing import Any

_ADDRESS = re.compile(r"https?://[^/\"]+")


def write_desk(folder: Path, address: str) -> None:
    """Write the configuration; of one that is there only the address changes, and nothing that somebody has edited."""
    file = folder / "config" / "system.json"
    basics = {
        "env": "DEMO",
        "region": "EMEA",
        "appStores": [],
        "server": {"enabled": True, "url": address},
        "crashReporter": {"output": {"type": "server", "serverUrl": f"{address}/crashes"}},
    }
    configured_by_manager = {
        "systemConfigurations": {"sources": [{"type": "rest", "source": f"{address}/systemConfig/get"}]},
        # The demo's settings name an update service that does not exist; automatic updates are off.
        "trustedOrigins": ["https://updates.example.com"],
    }
    text = _text({**basics, **configured_by_manager})
    # The second one is what earlier versions have written.
    own = {_ADDRESS.sub("", each) for each in (text, _text(basics))}
    if file.exists() and _ADDRESS.sub("", file.read_text("utf-8")) not in own:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _text(system: dict[str, Any]) -> str:
    return json.dumps(system, indent=2) + "\n"
