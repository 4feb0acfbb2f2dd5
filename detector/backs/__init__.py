"""Backs of cards (article 1): is this pack's back point-symmetric, and can one card be told by its back?"""
