"""The fictitious firm of the demo that `rostrum up` starts: its data, and code that loads and updates it."""
