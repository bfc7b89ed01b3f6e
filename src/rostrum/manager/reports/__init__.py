"""What crash reports and feedback share."""
