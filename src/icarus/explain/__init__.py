"""What a strategy does with its records (report), and which nodes share them, drawn (sharing)."""

from icarus.explain.report import PHASES, CaptureReport, ComponentReport, Explanation, explain

__all__ = ["PHASES", "CaptureReport", "ComponentReport", "Explanation", "explain"]
