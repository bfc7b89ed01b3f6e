"""Configuration from any number of local and remote sources: fetched, filtered, cached and merged."""
