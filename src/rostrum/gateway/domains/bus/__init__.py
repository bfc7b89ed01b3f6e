"""Publishing on topics."""
