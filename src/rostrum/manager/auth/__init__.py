"""Authentication: passwords, cookies and tokens."""
