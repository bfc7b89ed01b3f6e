"""Layouts: their models, and the check of a whole document."""

from rostrum.contracts.layouts.check import check_layout
from rostrum.contracts.layouts.layout import STATES, Component, Layout

__all__ = ["STATES", "Component", "Layout", "check_layout"]
