"""The domains, one module or package each."""
