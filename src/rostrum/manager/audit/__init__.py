"""The audit: who changed what, and that nobody has altered the record."""
