"""What decides how windows behave, without any window: the host that draws them asks here."""
