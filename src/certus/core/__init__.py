"""What every part of certus stands on: errors, notes, one registry, arrays, exact sums, text and files of results."""
