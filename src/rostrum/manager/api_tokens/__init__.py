"""API tokens: credentials of programs that act for a user or a service account."""
