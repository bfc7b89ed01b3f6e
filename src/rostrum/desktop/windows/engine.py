"""Options of the browser engine, which only local files set; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.settings import EarlySettings


_FORBIDDEN = frozenset(
    {
        "no-sandbox",
        "no-zygote",
        "single-process",
        "disable-gpu-sandbox",
        "disable-namespace-sandbox",
        "disable-seccomp-filter-sandbox",
        "disable-setuid-sandbox",
        "disable-site-isolation-trials",
        "disable-web-security",
        "allow-file-access-from-files",
        "allow-running-insecure-content",
        # It can disable the same-origin policy, and would replace the host's own switch of this name.
        "blink-settings",
        "browser-subprocess-path",
        "gpu-launcher",
        "ignore-certificate-errors",
        "ignore-certificate-errors-spki-list",
        "remote-allow-origins",
        "remote-debugging-address",
        "remote-debugging-pipe",
        "remote-debugging-port",
        "renderer-cmd-prefix",
        "unsafely-treat-insecure-origin-as-secure",
        "utility-cmd-prefix",
    }
)
"""Switches that would weaken the security of pages; settings cannot set them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Settings of a windowing system at its start.

    Attributes:
        switches: The switches of its command line, with their values.
        proxy: The proxy that files of the platform itself are fetched through; empty for none.
        accelerated: Whether the graphics card may draw windows.
        html_container: Whether pages have the container of older apps.
        folder: Folder for the storage of pages; empty for memory only.
    """

    switches: tuple[tuple[str, str | None], ...] = ()
    proxy: str = field(default="", repr=False)
    accelerated: bool = True
    html_container: bool = False
    folder: str = ""


def engine_of(settings: "EarlySettings") -> Engine:
    """Read the engine's options from local files; invalid values are ignored."""
    # Imported late, as above.
    from rostrum.settings.proxy import read_proxy

    proxy, _ = read_proxy(settings.proxy)
    return Engine(
        switches=(*_switches(settings.switches), *(proxy.switches if proxy is not None else ())),
        proxy=proxy.first_server if proxy is not None else "",
        accelerated=settings.window_management.hardware_acceleration.enabled is not False,
        html_container=settings.register_html_container is True,
    )


def is_forbidden_switch(name: str) -> bool:
    """Return whether a switch would weaken the security of pages; its name may contain a value."""
    return name.strip().lstrip("-").partition("=")[0].strip().lower() in _FORBIDDEN


def _switches(written: Any) -> Iterator[tuple[str, str | None]]:
    for one in written if isinstance(written, list) else ():
        if isinstance(one, Mapping) and isinstance(one.get("key"), str) and one["key"]:
            yield one["key"], None if one.get("value") is None else str(one["value"])
