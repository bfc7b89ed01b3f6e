"""The desktop of the demo: a configuration that names the demo's manager, and lets the manager configure the rest."""

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["write_desk"]

_ADDRESS = re.compile(r"https?://[^/\"]+")
_FIRST_CHANNEL = "Harbour Blue"


def write_desk(folder: Path, address: str) -> None:
    """Write the configuration; of one that is there only the address changes, and nothing that somebody has edited."""
    file = folder / "config" / "system.json"
    basics = _basics(address)
    text = _text({**basics, **_appearance()})
    # The second one is what earlier versions have written.
    own = {_ADDRESS.sub("", each) for each in (text, _text(basics))}
    if file.exists() and _ADDRESS.sub("", file.read_text("utf-8")) not in own:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _basics(address: str) -> dict[str, Any]:
    return {
        "env": "DEMO",
        "region": "EMEA",
        "appStores": [],
        "server": {"enabled": True, "url": address},
        # The demo's settings name an update service that does not exist; automatic updates are off.
        "trustedOrigins": ["https://updates.example.com"],
        "systemConfigurations": {"sources": [{"type": "rest", "source": f"{address}/systemConfig/get"}]},
        "crashReporter": {"output": {"type": "server", "serverUrl": f"{address}/crashes"}},
    }


def _appearance() -> dict[str, Any]:
    """Return what windows show, as the demo firm has it; in this file, so that no command has to sign in for it."""
    from rostrum.manager.demo.read import read_demo

    standard = {item["file"]: item["contents"] for item in reversed(read_demo().configs) if "group" not in item}
    themes = [{"name": each["name"], "displayName": each["displayName"]} for each in standard["themes.json"]]
    return {
        "channels": {"definitions": standard["channels.json"]},
        "themes": {"availableThemes": themes},
        "windows": {"channelSelector": {"enabled": True, "channelId": _FIRST_CHANNEL}},
        "notifications": {"showNotificationBadge": True, "snooze": {"enabled": True, "duration": 300_000}},
        "tray": {"notifications": True},
    }


def _text(system: dict[str, Any]) -> str:
    return json.dumps(system, indent=2) + "\n"
