"""Batches: changes of many documents at once."""
