"""The documentation, and in `docs.site` what makes a site of it."""
