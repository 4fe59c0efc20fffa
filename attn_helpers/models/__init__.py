"""The small models of the application chapters, with the recipes that trained them."""
