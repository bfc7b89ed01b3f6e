"""Sign-in methods, the sessions of sign-ins, and the users that exist from the start."""
