"""A figure: its function, controls, views, Programs and stored form."""
