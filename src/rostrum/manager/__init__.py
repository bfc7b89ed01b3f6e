"""The manager server: users, apps, layouts, preferences and configuration for desktops."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rostrum.manager.server import RunningManager

__all__ = ["start"]


def start(config: Mapping[str, Any] | None = None) -> "RunningManager":
    """Start a manager in this process, with a configuration object; environment variables supply missing settings.

    It runs in a thread until ``stop()`` of the returned object is called, which is also a context manager.
    """
    import os

    from rostrum.manager.config import read_config
    from rostrum.manager.server import RunningManager

    loaded = read_config(config, os.environ)
    return RunningManager(loaded.config, loaded.origins)
