"""Common parts of all routes: the edge, the response cache, authentication, errors and OpenAPI."""
