"""How much each user may store."""
