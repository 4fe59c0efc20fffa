"""What was the temperature at three? An average weighted by nearness, for many queries at once, in PyTorch.

Run it: python weighted_average.py
"""

import torch


def kernel_average(queries, keys, values, width=1.0):
    """Average the values, for each query weighted by how near their keys are."""
    u = (queries[:, None] - keys) / width  # (queries, 1) - (keys,) -> (queries, keys)
    weights = torch.softmax(-(u**2) / 2, dim=-1)  # (queries, keys), rows add up to 1
    return weights @ values, weights  # (queries,), (queries, keys)


if __name__ == "__main__":
    hours = torch.tensor([1.0, 2.0, 4.0, 7.0])
    degrees = torch.tensor([12.0, 14.0, 20.0, 16.0])
    answers, weights = kernel_average(torch.arange(9.0), hours, degrees)
    for hour, (answer, row) in enumerate(zip(answers, weights, strict=True)):
        print(f"hour {hour}: {answer:.1f} degrees, weights {[round(w, 2) for w in row.tolist()]}")
