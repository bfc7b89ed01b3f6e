"""Metrics of clients."""
