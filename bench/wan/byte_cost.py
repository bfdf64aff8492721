"""What an emulated network costs the computer that it is emulated on, beyond what loopback does.

Measured in the pattern of the rounds themselves, and at their pace: a byte costs less in a long stream, which the kernel handles in
large pieces, than in a burst to two neighbours; and less where burst follows burst than where each finds processors that were
computing. A ring of hosts exchanges blank bytes over plain TCP (exchange.py), as many per message and as often as the method
does, in the testbed and then over loopback. Both do the same work but for the network, so the difference between them is the
network's.

What counts is what the network takes from those who compute, and that is more than the time of its own work: each packet of a
throttled connection is a timer and an interrupt, which in a virtual machine are the host's business as well, and leave caches behind
that are somebody else's. So every core has something to compute beside the exchange (load.py), at the lowest priority, and the cost
is how much less far it gets. How far it gets alone is measured in between, again and again: the speed of a virtual machine changes
within seconds.
"""

import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

EXCHANGE = pathlib.Path(__file__).with_name("exchange.py")
LOAD = pathlib.Path(__file__).with_name("load.py")
WARM_UP = 2  # rounds: connections start slowly
TURNS = 5  # alone, then beside the exchange
TURN_SECONDS = 1.0
PATIENCE = 20.0


class ExchangeFailed(Exception):
    """One sentence."""


class Ring:
    """Hosts that exchange bytes while the `with` block lasts. `prefix_of` is what a command on a host begins with."""

    def __init__(self, pattern, port, size, pace, addresses, prefix_of=lambda host: [], environment=None):
        arguments = [pattern, str(port), str(size), str(pace)]
        self.hosts = [
            subprocess.Popen(
                [*prefix_of(host), sys.executable, EXCHANGE, *arguments, str(host), *addresses],
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
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()

    def during(self, something):
        """Seconds that it took, and steps that were computed meanwhile."""
        begin, steps = time.monotonic(), self._steps()
        something()
        return time.monotonic() - begin, self._steps() - steps

    def _steps(self):
        return sum(map(self._steps_of, self.files))

    @staticmethod
    def _steps_of(file):
        return int.from_bytes(pathlib.Path(file.name).read_bytes(), "little")


def rounds_of_a_turn(ring):
    ring.exchange(WARM_UP)
    rounds = 1
    while True:
        begin = time.monotonic()
        ring.exchange(rounds)
        spent = time.monotonic() - begin
        if spent >= TURN_SECONDS:
            return rounds
        rounds = math.ceil(1.2 * rounds * TURN_SECONDS / spent)


def taken_per_round(ring, load):
    """Seconds of a core that the load does not have because of a round of all hosts."""
    rounds = rounds_of_a_turn(ring)
    taken = []
    for _ in range(TURNS):
        alone, steps_alone = load.during(lambda: time.sleep(TURN_SECONDS))
        beside, steps_beside = load.during(lambda: ring.exchange(rounds))
        taken.append(len(load.files) * (beside - alone * steps_beside / steps_alone) / rounds)
    return statistics.median(taken)


def beyond_loopback(there, here, bytes_per_round, python):
    """Nanoseconds of a core that a byte costs each end in one ring beyond what it does in the other.

    Both are functions that make a ring, so that never two are there at once. `bytes_per_round` are those that all hosts send.
    `python` is one that has numpy.
    """
    costs = []
    with Load(python) as load:
        for make_ring in (there, here):
            with make_ring() as ring:
                costs.append(taken_per_round(ring, load))
    return max(0.0, (costs[0] - costs[1]) / bytes_per_round / 2 * 1e9)
