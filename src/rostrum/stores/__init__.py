"""Apps, layouts and preferences: where they are kept, and how changes are heard of."""
