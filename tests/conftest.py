"""What holds for all tests: Ctrl-C means something in the programs that they start, and Hypothesis has no clock."""

import signal

from hypothesis import HealthCheck, settings

# a shell starts background jobs with SIGINT ignored, and children inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the same examples in every run, however slow the machine is; ./run-tests --thorough looks for new ones
settings.register_profile("icarus", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.register_profile("thorough", parent=settings.get_profile("icarus"), derandomize=False, max_examples=1000)


def pytest_configure(config):
    settings.load_profile("icarus" if config.getoption("markexpr") else "thorough")
