"""Live updates: what changed, told to the clients that it concerns."""
