"""What an emulated network costs the computer that it is emulated on, beyond what loopback does.

Measured in the pattern of the rounds themselves: a byte costs less in a long stream, which the kernel handles in large pieces,
than in a burst to two neighbours. A ring of hosts exchanges blank bytes over plain TCP (exchange.py), as many per
message as the method sends, in the testbed and then over loopback. Both do the same work but for the network, so the
difference between them is the network's.
"""

import os
import pathlib
import subprocess
import sys
import time

EXCHANGE = pathlib.Path(__file__).with_name("exchange.py")
WARM_UP = 2  # rounds: connections start slowly
LEAST_SECONDS = 1.0
IDLE_SECONDS = 2.0


class ExchangeFailed(Exception):
    """One sentence."""


class Ring:
    """Hosts that exchange bytes while the `with` block lasts. `prefix_of` is what a command on a host begins with."""

    def __init__(self, pattern, port, size, addresses, prefix_of=lambda host: [], environment=None):
        self.hosts = [
            subprocess.Popen(
                [*prefix_of(host), sys.executable, EXCHANGE, pattern, str(port), str(size), str(host), *addresses],
                env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            for host in range(len(addresses))
        ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for host in self.hosts:
            host.kill()
            host.communicate()

    def exchange(self, rounds):
        """Returns when all hosts are through."""
        try:
            for host in self.hosts:
                print(rounds, file=host.stdin, flush=True)
            is_whole = all([host.stdout.readline() for host in self.hosts])
        except BrokenPipeError:
            is_whole = False
        if not is_whole:
            raise ExchangeFailed("plain TCP between the hosts of a ring failed")


class Stopwatch:
    """Seconds since it was made, of the clock and of all processors of this computer, the kernel's own work included."""

    def __init__(self):
        self.begin = self._now()

    def read(self):
        clock, free = (now - begin for now, begin in zip(self._now(), self.begin))
        return clock, os.cpu_count() * clock - free

    @staticmethod
    def _now():
        # Work is what is neither idle time nor another guest's of the machine. Most kernels only sample who works, which can
        # miss short bursts, but take idle time from the clock.
        fields = pathlib.Path("/proc/stat").read_text().split()[1:9]
        _user, _nice, _system, idle, iowait, _irq, _softirq, steal = map(int, fields)
        return time.monotonic(), (idle + iowait + steal) / os.sysconf("SC_CLK_TCK")


def background():
    """Processors that are busy with something else."""
    watch = Stopwatch()
    time.sleep(IDLE_SECONDS)
    clock, busy = watch.read()
    return busy / clock


def seconds_per_round(ring, rounds, others):
    """Processor time of all hosts and of what lies between them."""
    ring.exchange(WARM_UP)
    while True:
        watch = Stopwatch()
        ring.exchange(rounds)
        clock, busy = watch.read()
        if clock >= LEAST_SECONDS:
            return (busy - others * clock) / rounds
        rounds = round(1.2 * rounds * LEAST_SECONDS / clock) + 1


def beyond_loopback(there, here, rounds, bytes_per_round):
    """Nanoseconds of processor time that a byte costs each end in one ring beyond what it does in the other.

    Both are functions that make a ring, so that never two are there at once. `bytes_per_round` are those that all hosts send.
    """
    others = background()
    costs = []
    for make_ring in (there, here):
        with make_ring() as ring:
            costs.append(seconds_per_round(ring, rounds, others))
    return max(0.0, (costs[0] - costs[1]) / bytes_per_round / 2 * 1e9)
