"""Reading files and pages: their bytes, encodings, kinds and rows, and the main text of pages."""
