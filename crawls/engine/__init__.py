"""The crawl engine: pure Python, no Django, no settings; runs from a bare interpreter."""
