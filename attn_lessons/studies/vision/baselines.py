"""What the vision transformer of lesson 12b is measured against: logistic regression and a small CNN.

Chapter: notebooks/12b_looked_at_or_needed.ipynb
"""

from torch import Tensor, nn

from attn_lessons.studies.vision.digits import IMAGE_SIZE, NUM_CLASSES
from attn_lessons.studies.vision.vision_transformer import check_images


class Logistic(nn.Module):
    """Weigh each pixel for each digit: logistic regression.

    Formula: logits = W pixels + b

    Call it with images (batch, 8, 8) between 0 and 1; it returns logits (batch, 10).

    >>> Logistic()(torch.zeros(3, 8, 8)).shape
    torch.Size([3, 10])
    """

    def __init__(self) -> None:
        super().__init__()
        self.classify = nn.Linear(IMAGE_SIZE**2, NUM_CLASSES)

    def forward(self, images: Tensor) -> Tensor:
        """Return logits (batch, 10)."""
        check_images(images, IMAGE_SIZE)
        return self.classify(images.flatten(1))


class SmallCNN(nn.Module):
    """Three convolutions of 3 x 3 pixels and a linear layer: as many parameters as the vision transformer.

    Formula: logits = W flatten(pool(relu(conv(pool(relu(conv(relu(conv(images)))))))))

    Call it with images (batch, 8, 8) between 0 and 1; it returns logits (batch, 10).

    >>> model = SmallCNN()
    >>> model(torch.zeros(3, 8, 8)).shape, sum(p.numel() for p in model.parameters())
    (torch.Size([3, 10]), 17970)
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),  # (batch, 16, 8, 8)
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),  # (batch, 32, 4, 4)
            nn.Conv2d(32, 40, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),  # (batch, 40, 2, 2)
        )  # fmt: skip
        self.classify = nn.Linear(40 * (IMAGE_SIZE // 4) ** 2, NUM_CLASSES)

    def forward(self, images: Tensor) -> Tensor:
        """Return logits (batch, 10)."""
        check_images(images, IMAGE_SIZE)
        return self.classify(self.features(images.unsqueeze(1)).flatten(1))
