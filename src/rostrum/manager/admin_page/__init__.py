"""The admin UI at ``/admin/``: serves what was built from the folder ``admin-ui``."""

from rostrum.manager.admin_page.built import how_to_fix, load
from rostrum.manager.admin_page.serve import handlers
from rostrum.manager.built_page import PageUnavailable

__all__ = ["PageUnavailable", "handlers", "how_to_fix", "load"]
