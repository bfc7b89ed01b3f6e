"""The layout loader: the window shown while a layout is restored; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rostrum.base.placeholders import expand

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.stores import LayoutSplash


@dataclass(frozen=True, slots=True, kw_only=True)
class Loader:
    """The window shown while a layout is restored; None values are chosen by the host."""

    width: float | None
    height: float | None
    title: str | None
    url: str | None


def layout_loader(settings: "LayoutSplash", variables: Mapping[str, str]) -> tuple[Loader | None, str]:
    """Return the loader, None if it is disabled, and the problem of its address, if any."""
    if settings.disabled:
        return None, ""
    expanded = expand(settings.url or "", variables)
    problem = f"layouts.splash.url: there is no environment variable {expanded.unknown[0]}" if expanded.unknown else ""
    loader = Loader(
        width=settings.width,
        height=settings.height,
        title=settings.title,
        url=None if problem else expanded.text or None,
    )
    return loader, problem
