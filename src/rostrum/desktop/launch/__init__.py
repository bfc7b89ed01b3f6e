"""Starting apps, one file for each way."""
