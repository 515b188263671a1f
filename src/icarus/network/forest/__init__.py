"""Trees that are searched with an evaluator from outside: many at a time, whose lanes stop where a value is needed."""
