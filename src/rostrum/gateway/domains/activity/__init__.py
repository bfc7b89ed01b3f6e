"""Activities: groups of peers that are started together."""
