"""`python -m crawls.engine.fetch.child FD`: one worker process; see `processes.py`."""

import sys

from crawls.engine.fetch.processes import serve

if __name__ == "__main__":
    serve(int(sys.argv[1]))
