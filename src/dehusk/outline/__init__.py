"""An outline: what is written of a page as containers and leaf blocks, from which the formats are written."""
