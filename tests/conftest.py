"""Whatever started the tests, Ctrl-C means something in the programs that they start."""

import signal

# a shell starts background jobs with SIGINT ignored, and children inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
