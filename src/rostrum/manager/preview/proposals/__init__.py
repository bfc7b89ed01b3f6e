"""Applies writes to a snapshot in memory, with the rules of real writes."""

from rostrum.manager.preview.proposals.snapshot import ProposedSnapshot
from rostrum.manager.preview.proposals.write import KINDS, write

__all__ = ["KINDS", "ProposedSnapshot", "write"]
