"""Who is calling: passwords, cookies, tokens."""
