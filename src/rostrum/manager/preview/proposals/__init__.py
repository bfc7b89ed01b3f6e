"""Writes applied to a snapshot in memory, with the rules that the writes themselves have."""

from rostrum.manager.preview.proposals.snapshot import ProposedSnapshot
from rostrum.manager.preview.proposals.write import KINDS, write

__all__ = ["KINDS", "ProposedSnapshot", "write"]
