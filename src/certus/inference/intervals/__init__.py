"""Interval methods: one module declares each form of statistic with its methods."""
