#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A command on a pseudo-terminal, for tests: what it shows, with its exit status.

    terminal.py COLUMNS ROWS SECONDS KEYS COMMAND...

KEYS, in Python's escapes, are pressed one by one whenever something is shown and nothing more comes. Status 77: there are
no pseudo-terminals; 124: the command did not end in time.

The other end stays open here until the command has ended and a mark that is written behind it has been read: some
kernels forget what a terminal has not passed on yet when its last user closes it.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import threading
import time

MARK = b'\x1e\x1dended\x1d\x1e'


def start(command, columns, rows, environment):
    """Opens a terminal, and runs the command as the leader of its session: its number, and both ends."""
    try:
        master, terminal = pty.openpty()
    except OSError:
        sys.exit(77)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    child = os.fork()
    if child == 0:
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        for stream in range(3):
            os.dup2(terminal, stream)
        os.close(master)
        os.close(terminal)
        try:
            os.execvpe(command[0], command, environment)
        finally:
            os._exit(127)
    return child, master, terminal


def run(command, columns=80, rows=24, seconds=60, keys=b'', environment=None):
    """What the command shows, with line feeds for ends of lines, and its exit status."""
    child, master, terminal = start(command, columns, rows, {**os.environ, **(environment or {})})
    ended = []

    def wait():
        ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os.write(terminal, MARK)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    data, end = b'', time.monotonic() + seconds
    while not data.endswith(MARK):
        if select.select([master], [], [], 0.2)[0]:
            data += os.read(master, 65536)
        elif data and keys:
            os.write(master, keys[:1])
            keys = keys[1:]
        elif time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            sys.exit(124)
    waiting.join()
    os.close(master)
    os.close(terminal)
    return data[:-len(MARK)].replace(b'\r\n', b'\n'), ended[0]


def main():
    columns, rows, seconds = map(int, sys.argv[1:4])
    keys = sys.argv[4].encode().decode('unicode_escape').encode()
    shown, status = run(sys.argv[5:], columns, rows, seconds, keys)
    sys.stdout.buffer.write(shown)
    sys.stdout.flush()
    sys.exit(status)


if __name__ == '__main__':
    main()
