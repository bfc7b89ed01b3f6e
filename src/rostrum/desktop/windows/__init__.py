"""Window logic without a GUI toolkit; hosts that draw windows use it."""
