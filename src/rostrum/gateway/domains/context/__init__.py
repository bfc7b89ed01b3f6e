"""Shared contexts."""
