"""The games that come with the package: one file each."""
