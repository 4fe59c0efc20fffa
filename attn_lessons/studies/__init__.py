"""What the lessons study: one folder a subject, with its data, model, recipe, scores and stored weights."""

from attn_lessons.studies.points import Points, curve, mcycle, synthetic_curve

__all__ = ["Points", "curve", "mcycle", "synthetic_curve"]
