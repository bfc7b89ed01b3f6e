"""Domain-independent helpers: errors, time, IDs, JSON, files, logging, retries."""
