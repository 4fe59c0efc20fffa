"""``torch.utils.data``: data in batches."""

import bisect
import itertools
import math

import torch
from torch._absent import missing, refuser
from torch._surface import hold


class Dataset:
    """What has a length and a thing at each place."""

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """What gives one thing after the other."""


class TensorDataset(Dataset):
    """Tensors that belong together, by their first axis."""

    def __init__(self, *tensors) -> None:
        if len({t.shape[0] for t in tensors}) > 1:
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


class ConcatDataset(Dataset):
    """Several, one after the other."""

    def __init__(self, datasets) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        idx = idx + len(self) if idx < 0 else idx
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]


class Subset(Dataset):
    """Some places of another."""

    def __init__(self, dataset, indices) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx):
        return self.dataset[[self.indices[k] for k in idx] if isinstance(idx, list) else self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset, lengths, generator=None) -> list[Subset]:
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        sizes = [math.floor(len(dataset) * share) for share in lengths]
        for k in range(len(dataset) - sum(sizes)):
            sizes[k % len(sizes)] += 1
        lengths = sizes
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = torch.randperm(sum(lengths), generator=generator or torch.default_generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def default_collate(batch):
    """Put things of one kind together."""
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch)
    if hasattr(first, "_held"):
        return torch.stack([torch.as_tensor(one) for one in batch])
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, str):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([one[key] for one in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(part) for part in zip(*batch, strict=True)))
    if isinstance(first, tuple | list):
        if any(len(one) != len(first) for one in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(part) for part in zip(*batch, strict=True)]
    raise TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
    )


def default_convert(data):
    """Make tensors of arrays, and leave all else."""
    if hasattr(data, "_held"):
        return torch.as_tensor(data)
    if isinstance(data, dict):
        return {key: default_convert(one) for key, one in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    return [*map(default_convert, data)] if isinstance(data, tuple | list) else data


class SequentialSampler:
    """One after the other."""

    def __init__(self, data_source) -> None:
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(SequentialSampler):
    """In a random order."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None) -> None:
        super().__init__(data_source)
        if replacement or num_samples is not None:
            raise missing("a RandomSampler with replacement or num_samples")
        if not len(data_source):
            raise ValueError("num_samples should be a positive integer value, but got num_samples=0")
        self.replacement, self.num_samples, self.generator = False, len(data_source), generator

    def __iter__(self):
        source = self.generator
        if source is None:
            seed = torch.empty((), dtype=torch.int64).random_(0, 2**40).item()
            source = torch.Generator().manual_seed(seed)
        yield from torch.randperm(self.num_samples, generator=source).tolist()
        torch.randperm(self.num_samples, generator=source)  # PyTorch's, of which it takes the rest: nothing


class DataLoader:
    """Gives data in batches, in order or shuffled."""

    def __init__(
        self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        drop_last=False, generator=None, prefetch_factor=None, persistent_workers=False,
    ) -> None:  # fmt: skip
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
            )
        if num_workers == 0 and persistent_workers:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
                "multiprocessing, otherwise set prefetch_factor to None."
            )
        whole = isinstance(batch_size, int) and not isinstance(batch_size, bool)
        if batch_size is not None and not (whole and batch_size > 0):
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if isinstance(dataset, IterableDataset) and shuffle not in (None, False):
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}"
            )
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        if sampler is None and not isinstance(dataset, IterableDataset):
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.dataset, self.batch_size, self.sampler = dataset, batch_size, sampler
        self.batch_sampler, self.drop_last, self.generator = batch_sampler, drop_last, generator
        self.num_workers = num_workers
        self.collate_fn = collate_fn or (
            default_collate if batch_size is not None or batch_sampler else default_convert
        )
        self._made = True

    def __setattr__(self, name: str, value) -> None:
        if "_made" in vars(self) and name in (
            "batch_size", "batch_sampler", "sampler", "drop_last", "dataset",
        ):  # fmt: skip
            raise ValueError(f"{name} attribute should not be set after DataLoader is initialized")
        super().__setattr__(name, value)

    def __iter__(self):
        torch.empty((), dtype=torch.int64).random_(
            0, 2**40, generator=self.generator
        )  # PyTorch's for workers
        return self._batches()

    def _batches(self):
        if self.batch_sampler is not None:
            yield from (self.collate_fn([self.dataset[k] for k in places]) for places in self.batch_sampler)
            return
        iterable = isinstance(self.dataset, IterableDataset)
        things = iter(self.dataset) if iterable else (self.dataset[k] for k in self.sampler)
        if self.batch_size is None:
            yield from map(self.collate_fn, things)
            return
        while batch := list(itertools.islice(things, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def __len__(self) -> int:
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count = len(self.dataset if isinstance(self.dataset, IterableDataset) else self.sampler)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def get_worker_info() -> None:
    """Nobody works beside the page."""


hold("utils.data", globals())
__getattr__ = refuser(__name__)
