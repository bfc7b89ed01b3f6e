"""Live updates: notifications about changes for the affected clients."""
