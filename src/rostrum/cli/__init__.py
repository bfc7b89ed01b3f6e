"""The command `rostrum`."""
