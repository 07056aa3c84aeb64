"""From a request to a table: data bound to roles, metrics computed, rows laid out."""
