"""How long the JavaScript runtime takes for a small transformer: 4 layers, 200 k parameters, 24 tokens.

Run `python benchmarks/runtime_speed.py`; it traces the model and times it in Node.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import torch
from torch import nn

from livetorch import trace

HERE = Path(__file__).parent


class SmallTransformer(nn.Module):
    """Embeds ids, encodes them and scores the next token."""

    def __init__(self, vocabulary=65, d_model=64, heads=4, layers=4):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, d_model)
        layer = nn.TransformerEncoderLayer(d_model, heads, 4 * d_model, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.score = nn.Linear(d_model, vocabulary)

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[0])
        hidden = self.encoder(self.embed(ids)[None], mask=mask, is_causal=True)
        return self.score(hidden)[0]  # (length, vocabulary)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = SmallTransformer().eval()
    ids = torch.randint(0, 65, (24,))
    program = trace(model, ids=ids)
    want = model(ids).detach()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.json")
        path.write_text(program.to_json())
        inputs = {"ids": {"shape": [24], "data": ids.tolist()}}
        command = ["node", str(HERE / "runtime_speed.mjs"), str(path), json.dumps(inputs)]
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    error = (torch.tensor(report.pop("output")).reshape(want.shape) - want).abs().max().item()
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(f"{parameters} parameters, {report['nodes']} nodes, largest difference to torch {error:.1e}")
    print(f"load {report['load']:.1f} ms, run median {report['median']:.1f} ms, p95 {report['p95']:.1f} ms")


if __name__ == "__main__":
    main()
