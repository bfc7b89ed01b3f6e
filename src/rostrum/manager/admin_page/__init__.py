"""The admin UI at ``/admin/``: serves what was built from the folder ``admin-ui``."""

from rostrum.manager.admin_page.built import is_built
from rostrum.manager.admin_page.serve import handlers

__all__ = ["handlers", "is_built"]
