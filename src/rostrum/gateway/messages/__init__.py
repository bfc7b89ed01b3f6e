"""Every message on the wire as a small typed record, one module per domain."""
