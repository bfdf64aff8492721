"""What an emulated network costs the computer that it is emulated on, beyond what loopback does.

Measured in the pattern of the rounds themselves: a byte costs less in a long stream, which the kernel handles in large pieces,
than in a burst to two neighbours. A ring of hosts exchanges blank bytes over plain TCP (exchange.py), as many per
message as the method sends, in the testbed and then over loopback. Both do the same work but for the network, so the
difference between them is the network's.

What counts is what the network takes from those who compute, and that is more than the time of its own work: each packet of a
throttled connection is a timer and an interrupt, which in a virtual machine are the host's business as well, and leave caches behind
that are somebody else's. So every core has something to compute beside the exchange (load.py), at the lowest priority, and the cost
is how much less far it gets.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

EXCHANGE = pathlib.Path(__file__).with_name("exchange.py")
LOAD = pathlib.Path(__file__).with_name("load.py")
WARM_UP = 2  # rounds: connections start slowly
LEAST_SECONDS = 2.0
ALONE_SECONDS = 3.0
PATIENCE = 20.0


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


class Load:
    """Something to compute on every core while the `with` block lasts."""

    def __init__(self, python):
        self.files = [tempfile.NamedTemporaryFile() for _ in range(os.cpu_count())]
        for file in self.files:
            file.write(bytes(8))
            file.flush()
        self.running = [subprocess.Popen([python, LOAD, file.name]) for file in self.files]

    def __enter__(self):
        # All have begun.
        end = time.monotonic() + PATIENCE
        while not all(self._steps_of(file) > 0 for file in self.files):
            if time.monotonic() > end or any(process.poll() is not None for process in self.running):
                raise ExchangeFailed("load.py does not compute: it needs numpy")
            time.sleep(0.05)
        alone = Stopwatch(self)
        time.sleep(ALONE_SECONDS)
        clock, steps = alone.read()
        self.core_seconds_per_step = len(self.files) * clock / steps
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()

    def steps(self):
        return sum(map(self._steps_of, self.files))

    @staticmethod
    def _steps_of(file):
        return int.from_bytes(pathlib.Path(file.name).read_bytes(), "little")


class Stopwatch:
    """Seconds since it was made, and steps of a load."""

    def __init__(self, load):
        self.load = load
        self.begin = self._now()

    def read(self):
        return tuple(now - begin for now, begin in zip(self._now(), self.begin))

    def _now(self):
        return time.monotonic(), self.load.steps()


def seconds_per_round(ring, rounds, load):
    """Of all cores, that the load has not."""
    ring.exchange(WARM_UP)
    while True:
        watch = Stopwatch(load)
        ring.exchange(rounds)
        clock, steps = watch.read()
        if clock >= LEAST_SECONDS:
            return (len(load.files) * clock - steps * load.core_seconds_per_step) / rounds
        rounds = round(1.2 * rounds * LEAST_SECONDS / clock) + 1


def beyond_loopback(there, here, rounds, bytes_per_round, python):
    """Nanoseconds of a core that a byte costs each end in one ring beyond what it does in the other.

    Both are functions that make a ring, so that never two are there at once. `bytes_per_round` are those that all hosts send.
    `python` is one that has numpy.
    """
    costs = []
    with Load(python) as load:
        for make_ring in (there, here):
            with make_ring() as ring:
                costs.append(seconds_per_round(ring, rounds, load))
    return max(0.0, (costs[0] - costs[1]) / bytes_per_round / 2 * 1e9)
