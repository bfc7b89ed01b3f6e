"""Settings: each declared once; documents of them merged, read with every problem found, and described."""
