"""What builds the documentation site: pages gathered from the repository, and the command reference."""
