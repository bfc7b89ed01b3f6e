"""The log-in page at ``/admin/``."""

from rostrum.manager.admin_page.serve import handlers

__all__ = ["handlers"]
