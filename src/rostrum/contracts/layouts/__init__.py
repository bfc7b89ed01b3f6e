"""Layouts: their models, and the check of a whole document."""

from rostrum.contracts.layouts.layout import STATES, Component, Layout, check_layout

__all__ = ["STATES", "Component", "Layout", "check_layout"]
