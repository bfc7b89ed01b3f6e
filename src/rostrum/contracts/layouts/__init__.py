"""Layouts: their models, and the validation of a document."""

from rostrum.contracts.layouts.layout import STATES, Component, Layout, check_layout

__all__ = ["STATES", "Component", "Layout", "check_layout"]
