"""Core: what a profile asked to have compiled. A module with a .pxd is; where it cannot be, it runs as plain Python."""
