"""Rules for changes by administrators: comments and tickets."""
