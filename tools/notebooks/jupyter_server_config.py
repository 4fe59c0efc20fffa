"""Jupyter's settings for this book: a notebook that was run, saved and closed still shows its pictures.

A running figure is stored as a picture and a view of a widget; Jupyter prefers the view, and finds no model
behind it once the kernel is gone. So views are not saved where there is a picture.
"""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def leave_views_out(model, **_):
    """Drop the views of widgets from a notebook that is about to be saved."""
    if model["type"] != "notebook" or not model.get("content"):
        return
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output["data"].pop(WIDGET_VIEW, None)


c = get_config()  # noqa: F821  (Jupyter gives it)
c.ContentsManager.pre_save_hook = leave_views_out
