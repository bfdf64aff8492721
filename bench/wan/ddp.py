"""What users of PyTorch would run: DistributedDataParallel on gloo, one process per host. Started by bench/wan/compare.

  RANK=0 WORLD_SIZE=8 MASTER_ADDR=10.77.0.1 MASTER_PORT=29500 ddp.py --hidden 1024/384 --batch 32 --rounds 20

Rank 0 prints one line of JSON: parameters, and seconds of a round after those to warm up.
"""

import argparse
import gzip
import json
import pathlib
import time

import torch
import torch.distributed as distributed

FASHION_MNIST = pathlib.Path("/usr/share/datasets/fashion-mnist")
CLASSES = 10


def read_idx(path, header):
    """The bytes of an IDX file behind its header: of 16 bytes for pictures, of 8 for labels."""
    return torch.frombuffer(bytearray(gzip.open(path).read()), dtype=torch.uint8, offset=header)


def load_shard(rank, size):
    """Every `size`-th picture from `rank` on, as rows of mean 0 and variance 1, and their classes."""
    labels = read_idx(FASHION_MNIST / "train-labels-idx1-ubyte.gz", header=8).long()
    pixels = read_idx(FASHION_MNIST / "train-images-idx3-ubyte.gz", header=16).reshape(len(labels), -1)
    pixels = pixels[rank::size].float()
    return (pixels - pixels.mean()) / pixels.std(), labels[rank::size]


def perceptron(inputs, hidden):
    """As `--model mlp:W1/W2`: linear layers with ReLU between them."""
    widths = [inputs, *hidden, CLASSES]
    layers = []
    for width, following in zip(widths, widths[1:]):
        layers += [torch.nn.Linear(width, following), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def seconds_per_round(model, pictures, labels, arguments):
    optimizer = torch.optim.SGD(model.parameters(), lr=arguments.lr)
    loss_of = torch.nn.CrossEntropyLoss()
    draw = torch.Generator().manual_seed(distributed.get_rank())
    begin = 0.0
    for step in range(arguments.warm_up + arguments.rounds):
        if step == arguments.warm_up:
            distributed.barrier()
            begin = time.perf_counter()
        batch = torch.randint(len(labels), (arguments.batch,), generator=draw)
        optimizer.zero_grad()
        loss_of(model(pictures[batch]), labels[batch]).backward()
        optimizer.step()
    distributed.barrier()
    return (time.perf_counter() - begin) / arguments.rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hidden", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--warm-up", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.1)
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    distributed.init_process_group("gloo")
    rank = distributed.get_rank()
    pictures, labels = load_shard(rank, distributed.get_world_size())
    model = perceptron(pictures.shape[1], [int(width) for width in arguments.hidden.split("/")])
    parameters = sum(parameter.numel() for parameter in model.parameters())
    seconds = seconds_per_round(torch.nn.parallel.DistributedDataParallel(model), pictures, labels, arguments)
    if rank == 0:
        print(json.dumps({"parameters": parameters, "seconds_per_round": seconds}))


if __name__ == "__main__":
    main()
