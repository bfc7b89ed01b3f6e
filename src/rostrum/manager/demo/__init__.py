"""The invented firm that `rostrum up` shows: data files and their reader."""
