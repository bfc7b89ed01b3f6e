"""All messages as typed records, one module per domain."""
