"""The signatures of everything that the loop calls by address, and the calls."""

from __future__ import annotations

from icarus.engine.native import Int, Ints, Nothing, Random, Real, Reals, caller
from icarus.game import SIGNATURES

# --- a game ----------------------------------------------------------------------------------------------------------

#: apply an action (below 0: none) and report player, number of legal actions, simultaneous, episode label: one call per ply,
#: for games behind a callback
ADVANCE = Nothing(Ints, Int, Ints, Ints)
#: the same for all lanes at once: (states, actions, legal, reports, lanes); an action below 0 leaves its lane alone
ADVANCE_ALL = Nothing(Ints, Ints, Ints, Ints, Int)
#: make one state a copy of another, for states that are more than their words
COPY = Nothing(Ints, Ints)
#: apply an action (below 0: none), then play uniformly random actions to the end; returns how many those were
PLAYOUT = Int(Ints, Int, Random)

call_player = caller(SIGNATURES["player"])
call_legal = caller(SIGNATURES["legal"])
call_apply = caller(SIGNATURES["apply"])
call_terminal = caller(SIGNATURES["terminal"])
call_rewards = caller(SIGNATURES["rewards"])
call_sample = caller(SIGNATURES["sample"])
call_chance = caller(SIGNATURES["chance"])
call_determinize = caller(SIGNATURES["determinize"])
call_observe = caller(SIGNATURES["observe"])
call_simultaneous = caller(SIGNATURES["simultaneous"])
call_episode = caller(SIGNATURES["episode"])
call_heuristic = caller(SIGNATURES["heuristic"])
call_predicates = caller(SIGNATURES["predicates"])
call_advance = caller(ADVANCE)
call_advance_all = caller(ADVANCE_ALL)
call_copy = caller(COPY)
call_playout = caller(PLAYOUT)

# --- a strategy ------------------------------------------------------------------------------------------------------

#: context(step, moves, actors, facts, keys, parameters) -> number of keys written
CONTEXT = Int(Ints, Ints, Ints, Ints, Ints, Reals)
#: reuse(reward, visits, available, extra, base, record, values, size, parameters)
REUSE = Nothing(Reals, Reals, Reals, Reals, Reals, Reals, Reals, Int, Reals)
#: weight(record, parameters) -> a number in [0, 1]
WEIGHT = Real(Reals, Reals)

call_context = caller(CONTEXT)
call_reuse = caller(REUSE)
call_weight = caller(WEIGHT)
