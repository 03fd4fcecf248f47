"""A host that hands its descriptors to the Python process that has the kernel, and stays until that one is done.

Run by path, as in `python -I -S bridge.py ADDRESS`, so that it starts fast and needs no package. The address is the
name of an abstract Unix socket. What it prints to standard error is quoted by the harness where it fails at the start.
"""

import os
import socket
import sys

DESCRIPTORS = ("NORMCHECK_HOST_SOCKET", "NORMCHECK_HOST_MEMORY")


def main(address):
    descriptors = [int(os.environ[name]) for name in DESCRIPTORS]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        try:
            line.connect("\0" + address)
        except OSError:
            sys.exit("this kernel lives in a Python process that has ended; give its case to normcheck.case() there")
        socket.send_fds(line, [b"n"], descriptors)
        line.recv(1)  # nothing is ever sent: this waits for the end


if __name__ == "__main__":
    main(sys.argv[1])
