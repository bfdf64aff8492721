"""One host of a ring that exchanges blank bytes over plain TCP, in the pattern of training rounds.

  exchange.py both PORT BYTES PACE HOST ADDRESS...    a round: BYTES to either neighbour, and as many from each
  exchange.py next PORT BYTES PACE HOST ADDRESS...    as all-reduce: 2 (n - 1) times BYTES to the next and from the one before

A round begins PACE seconds after the one before, or when that is over. HOST is this one's place among the addresses, from 0.
Each line that it reads is a number of rounds; when they are over it prints that number. bench/wan/byte_cost.py starts it
everywhere, and measures.
"""

import concurrent.futures
import socket
import sys
import time

PIECE = 1 << 14  # a TLS record's, which is what the program hands to the kernel at once


def connect(address, port, patience=20.0):
    end = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection((address, port))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def neighbours(host, addresses, port):
    """Connections to the one before and to the next."""
    with socket.create_server((addresses[host], port)) as server:
        after = connect(addresses[(host + 1) % len(addresses)], port)
        before, _ = server.accept()
    for connection in (before, after):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return before, after


def send(connection, blank):
    for begin in range(0, len(blank), PIECE):
        connection.sendall(blank[begin : begin + PIECE])


def take(connection, room):
    # The kernel waits for all of it, so that Python works once for a message, however many packets it comes in. Only signals
    # make it return earlier.
    while len(room) > 0:
        count = connection.recv_into(room, len(room), socket.MSG_WAITALL)
        if count == 0:
            sys.exit("a neighbour ended early")
        room = room[count:]


class Metronome:
    """Tells when a round begins. Hosts begin one after the other, as those do that share cores and have computed before."""

    def __init__(self, pace, host, hosts):
        self.pace = pace
        self.next = time.monotonic() + pace * host / hosts

    def wait(self):
        time.sleep(max(0.0, self.next - time.monotonic()))
        self.next = time.monotonic() + self.pace


def main(pattern, port, size, pace, host, addresses):
    before, after = neighbours(host, addresses, port)
    blank = memoryview(bytes(size))
    rooms = [memoryview(bytearray(size)), memoryview(bytearray(size))]
    to_both = [(send, before, blank), (send, after, blank), (take, before, rooms[0]), (take, after, rooms[1])]
    to_next = [(send, after, blank), (take, before, rooms[0])]
    tasks, repeats = {"both": (to_both, 1), "next": (to_next, 2 * (len(addresses) - 1))}[pattern]
    with concurrent.futures.ThreadPoolExecutor(len(tasks)) as threads:
        for line in sys.stdin:
            metronome = Metronome(pace, host, len(addresses))
            for _ in range(int(line)):
                metronome.wait()
                for _ in range(repeats):
                    for done in [threads.submit(*task) for task in tasks]:
                        done.result()
            print(line, end="", flush=True)


if __name__ == "__main__":
    pattern, port, size, pace, host, *addresses = sys.argv[1:]
    main(pattern, int(port), int(size), float(pace), int(host), addresses)
