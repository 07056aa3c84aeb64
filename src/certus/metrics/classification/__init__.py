"""Classification metrics, one (or a tight family) a file; `certus.classification` is their face."""
