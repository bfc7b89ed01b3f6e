"""Proxy: the network access of pages, read from ``proxy`` in system.json."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from rostrum.settings.problems import shown

_MODES = ("direct", "auto_detect", "pac_script", "fixed_servers", "system")
_SCRIPT_SCHEMES = ("http", "https", "data")
_MEMBERS = ("mode", "pacScript", "proxyRules", "proxyBypassRules")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """The network access of pages.

    Attributes:
        mode: direct, auto_detect, pac_script, fixed_servers or system.
        script: The address of the proxy script.
        rules: The proxies, as Chromium reads them: ``proxy:3128``, or ``http=a:80;https=b:80;socks=c:1080``.
        bypass: The hosts that are reached without a proxy, separated by semicolons.

    """

    mode: str
    script: str = ""
    rules: str = ""
    bypass: str = ""

    @property
    def switches(self) -> tuple[tuple[str, str | None], ...]:
        """Return the switches of the browser engine."""
        if self.mode == "direct":
            return (("no-proxy-server", None),)
        if self.mode == "auto_detect":
            return (("proxy-auto-detect", None),)
        if self.mode == "pac_script":
            return (("proxy-pac-url", self.script),)
        if self.mode == "fixed_servers":
            bypass = (("proxy-bypass-list", self.bypass),) if self.bypass else ()
            return (("proxy-server", self.rules), *bypass)
        return ()

    @property
    def first_server(self) -> str:
        """Return the first fixed proxy as an address, such as http://proxy:3128; empty without one."""
        if self.mode != "fixed_servers":
            return ""
        first = self.rules.replace(";", ",").split(",", maxsplit=1)[0].strip()
        kind, _, server = first.rpartition("=")
        if "://" in server:
            return server
        return f"{'socks5' if kind == 'socks' else 'http'}://{server}"


def read_proxy(written: Any) -> tuple[Proxy | None, tuple[str, ...]]:
    """Read the setting; for an invalid or unsupported value, report a problem and use the proxy of the system."""
    if written is None:
        return None, ()
    if not isinstance(written, Mapping):
        # The value is not shown: it may contain a password.
        return None, ("must be an object with mode, such as fixed_servers",)
    problems = [f"{name}: not supported; use {', '.join(_MEMBERS)}" for name in written if name not in _MEMBERS]
    texts = {name: _text(written, name, problems) for name in _MEMBERS}
    # Without a mode, the other members decide.
    mode = texts["mode"] or ("pac_script" if texts["pacScript"] else "fixed_servers" if texts["proxyRules"] else "")
    if mode not in _MODES:
        problems.append(f"mode: must be {', '.join(_MODES[:-1])} or {_MODES[-1]}")
    elif mode == "pac_script" and _scheme(texts["pacScript"]) not in _SCRIPT_SCHEMES:
        problems.append("pacScript: must be an address such as https://proxy.example.com/proxy.pac")
    elif mode == "fixed_servers" and not texts["proxyRules"]:
        problems.append("proxyRules: must name a proxy, such as proxy.example.com:3128")
    if "@" in texts["proxyRules"]:
        problems.append("proxyRules: must not contain a user name and password; the browser engine does not send them")
    if problems:
        return None, tuple(problems)
    return (
        Proxy(mode=mode, script=texts["pacScript"], rules=texts["proxyRules"], bypass=texts["proxyBypassRules"]),
        (),
    )


def _text(written: Mapping[str, Any], name: str, problems: list[str]) -> str:
    value = written.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.append(f"{name}: must be text, not {shown(value)}")
        return ""
    return value.strip()


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme.lower()
    except ValueError:
        return ""
