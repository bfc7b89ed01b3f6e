"""The services of the running desktop: one file for each, with the methods that it offers on the gateway."""
