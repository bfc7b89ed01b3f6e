"""The audit log: records changes, and detects modified entries."""
