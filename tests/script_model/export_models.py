"""Writes TorchScript files as users of PyTorch would: export_models.py FOLDER. Ends with 77 if there is no torch."""

import json
import sys

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    sys.exit(77)


class Convolutional(nn.Module):
    """For pictures of one channel, 12 pixels high and wide."""

    def __init__(self, classes: int):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(4 * 6 * 6, classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


class WithDropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(144, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 4))

    def forward(self, x):
        return self.layers(x)


class LogProbabilities(nn.Module):
    def __init__(self, scores: nn.Module):
        super().__init__()
        self.scores = scores

    def forward(self, x):
        return nn.functional.log_softmax(self.scores(x), dim=1)


def export(model, name, **description):
    extra = {"gossamer.json": json.dumps(description)} if description else {}
    torch.jit.script(model).save(f"{sys.argv[1]}/{name}.pt", _extra_files=extra)


torch.manual_seed(1)
model = Convolutional(classes=4)
export(model, "described", input_shape=[1, 12, 12], loss="cross-entropy")
export(model, "plain")
export(LogProbabilities(model), "log_probabilities", loss="nll")
export(WithDropout(), "dropout")
frozen = Convolutional(classes=4)
frozen.features.requires_grad_(False)
export(frozen, "frozen")
export(frozen.requires_grad_(False), "all_frozen")
export(model, "of_large_pictures", input_shape=[3, 32, 32])
export(model, "of_unknown_loss", loss="hinge")
export(Convolutional(classes=3), "of_three_classes")
export(Convolutional(classes=4).double(), "of_doubles")
torch.save(model.state_dict(), f"{sys.argv[1]}/state_dict.pt")
