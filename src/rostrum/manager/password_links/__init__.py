"""Links with which users set their first password."""
