"""Computes with one thread and the lowest priority, as training does, until it is killed: products with a layer's weights, and
passes over vectors as long as a model. Whatever takes time from it, or makes it slower, shows in how far it gets.

  load.py FILE    keeps the number of steps done in FILE, 8 bytes, little-endian
"""

import mmap
import os
import struct
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy  # noqa: E402 (reads the line above)

BATCH, INPUTS, OUTPUTS = 32, 784, 1024
MODEL = 1_200_000


def main(path):
    os.nice(19)
    samples = numpy.ones((BATCH, INPUTS), numpy.float32)
    weights = numpy.ones((INPUTS, OUTPUTS), numpy.float32)
    model, change = numpy.ones(MODEL, numpy.float32), numpy.ones(MODEL, numpy.float32)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 8) as counter:
        steps = 0
        while True:
            samples @ weights
            model += change
            steps += 1
            struct.pack_into("<q", counter, 0, steps)


if __name__ == "__main__":
    main(sys.argv[1])
