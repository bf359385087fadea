"""The local filler of every writing role, one file a role."""
