"""Export and import of all data."""
