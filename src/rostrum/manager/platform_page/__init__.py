"""The browser platform at ``/platform/``: serves what was built from the folder ``platform-ui``."""

from rostrum.manager.built_page import PageUnavailable
from rostrum.manager.platform_page.built import how_to_fix, load
from rostrum.manager.platform_page.serve import handlers

__all__ = ["PageUnavailable", "handlers", "how_to_fix", "load"]
