"""HTTP: parse, call the resource, answer."""
