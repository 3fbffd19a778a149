"""Words and numbers in a sentence."""

from __future__ import annotations

from collections.abc import Iterable


def joined(words: Iterable[object], none: str = "none", by: str = "and") -> str:
    """Words or values for a sentence: "0, 2 and 5"; `none` of none. by: what stands before the last."""
    texts = [str(word) for word in words]
    return f" {by} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or none
