"""The engine: chooses rules and files, runs the checks, and makes one report of what they find."""
