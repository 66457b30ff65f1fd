"""The numbers of the sitemap protocol (https://www.sitemaps.org/protocol.html) and of Google's extensions."""

MAX_URLS = 50_000
MAX_BYTES = 52_428_800  # uncompressed, for one file
MAX_CHILDREN = 50_000
MAX_LOC_CHARS = 2_047  # must be less than 2,048
MAX_IMAGES = 1_000  # for one URL
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE_NAMESPACE = "http://www.google.com/schemas/sitemap-image/1.1"
XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
CHANGE_FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
