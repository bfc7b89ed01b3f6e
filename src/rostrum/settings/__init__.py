"""Settings: how documents of settings are merged."""
