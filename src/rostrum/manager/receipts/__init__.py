"""Which revisions connected desktops have applied."""
