"""The protocol of existing browser platforms."""
