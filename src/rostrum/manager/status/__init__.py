"""Health, metrics and effective settings of the running manager."""
