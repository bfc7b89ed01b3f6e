"""Writes tried out on a firm in memory, with the rules that the writes themselves have."""

from rostrum.manager.resources.drafts.draft import Draft
from rostrum.manager.resources.drafts.write import KINDS, write

__all__ = ["KINDS", "Draft", "write"]
