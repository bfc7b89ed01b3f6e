"""Previews: the effect of changes before they are saved."""
