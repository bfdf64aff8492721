#!/usr/bin/env python3
"""Sends plain bytes over TCP, or takes them: what a network itself costs the computer that it is emulated on.

  byte_cost.py take ADDRESS PORT BYTES
  byte_cost.py send ADDRESS PORT BYTES

bench/wan/compare runs it on emulated hosts and over loopback, and compares the processor time of the whole computer.
"""

import socket
import sys
import time

BUFFER = 1 << 16


def take(address, port, size):
    with socket.create_server((address, port)) as server:
        connection, _ = server.accept()
        buffer = bytearray(BUFFER)
        while size > 0:
            got = connection.recv_into(buffer)
            if got == 0:
                sys.exit("the sender ended early")
            size -= got
        connection.sendall(b"x")


def connect(address, port, patience=10.0):
    end = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection((address, port))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def send(address, port, size):
    with connect(address, port) as connection:
        buffer = bytes(BUFFER)
        while size > 0:
            size -= connection.send(buffer[: min(size, BUFFER)])
        connection.recv(1)


if __name__ == "__main__":
    {"take": take, "send": send}[sys.argv[1]](sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
