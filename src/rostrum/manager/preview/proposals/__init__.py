"""Writes tried out on a firm in memory, with the rules that the writes themselves have."""

from rostrum.manager.preview.proposals.snapshot import Draft
from rostrum.manager.preview.proposals.write import KINDS, write

__all__ = ["KINDS", "Draft", "write"]
