"""Integrations: dehusk as a part of other programs. Each module needs the program that it is named after."""
