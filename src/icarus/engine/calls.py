"""The signatures of everything that the loop calls by address, and the calls."""

from __future__ import annotations

from icarus.engine.layout import Arms, Candidates, GameWords, HistoryRecord, Leaves, Lesson, Step, Trace, World
from icarus.game import SIGNATURES
from icarus.jit import Int, Ints, Nothing, Real, Reals, caller, pointer_to

# --- a game ----------------------------------------------------------------------------------------------------------

call_player = caller(SIGNATURES["player"])
call_legal = caller(SIGNATURES["legal"])
call_apply = caller(SIGNATURES["apply"])
call_terminal = caller(SIGNATURES["terminal"])
call_rewards = caller(SIGNATURES["rewards"])
call_score = caller(SIGNATURES["score"])
call_code = caller(SIGNATURES["code"])
call_sample = caller(SIGNATURES["sample"])
call_chance = caller(SIGNATURES["chance"])
call_determinize = caller(SIGNATURES["determinize"])
call_put_back = caller(SIGNATURES["put_back"])
call_observe = caller(SIGNATURES["observe"])
call_simultaneous = caller(SIGNATURES["simultaneous"])
call_episode = caller(SIGNATURES["episode"])
call_heuristic = caller(SIGNATURES["heuristic"])
call_predicates = caller(SIGNATURES["predicates"])
call_key = caller(SIGNATURES["key"])
call_playout = caller(SIGNATURES["playout"])
call_prune = caller(SIGNATURES["prune"])
call_decisive = caller(SIGNATURES["decisive"])
call_involved = caller(SIGNATURES["involved"])
call_margin = caller(SIGNATURES["margin"])
call_evaluate = caller(SIGNATURES["evaluate"])
call_suggest = caller(SIGNATURES["suggest"])
call_guided = caller(SIGNATURES["guided"])
call_features = caller(SIGNATURES["features"])
call_shifts = caller(SIGNATURES["shifts"])
call_advance = caller(SIGNATURES["advance"])
call_advance_all = caller(SIGNATURES["advance_all"])
call_copy = caller(SIGNATURES["copy"])
call_finish = caller(SIGNATURES["finish"])

# --- a strategy: in each case the last argument are the parameters, by name where the plug-in is compiled -------------

#: context(step, keys, p) -> number of keys written
CONTEXT = Int(pointer_to(Step), Ints, Reals)
#: policy(arms, values, p)
POLICY = Nothing(pointer_to(Arms), Reals, Reals)
#: weight(record of the history, p) -> a number in [0, 1]
WEIGHT = Real(pointer_to(HistoryRecord), Reals)
#: update(old, reward, weight, odds, p) -> the new value of a statistic
STATISTIC = Real(Real, Real, Real, Real, Reals)
#: is_leaf(visits of the chosen record before this playout, record of the history, p) -> does the tree end here?
LEAF_RULE = Int(Int, pointer_to(HistoryRecord), Reals)
#: prior(state, actions, size, reward, visits, p): what a new node's records begin with
PRIOR = Nothing(Ints, Ints, Int, Reals, Reals, Reals)
#: filter(candidates, p) -> how many of the actions, which now come first, are considered
FILTER = Int(pointer_to(Candidates), Reals)
#: learn(lesson, p): what a playout teaches
LESSON = Nothing(pointer_to(Lesson), Reals)
#: evaluate(leaves, p)
EVALUATOR = Nothing(pointer_to(Leaves), Reals)
#: evaluate(game, state, out, scratch for features, p): a value in [0, 1] for each player
EVALUATION = Nothing(pointer_to(GameWords), Ints, Reals, Ints, Reals)
#: back_up(trace, p)
BACKUP = Nothing(pointer_to(Trace), Reals)

# --- proofs (proofs/bounds.py) ---------------------------------------------------------------------------------------

#: settle(world, lane)
SETTLE = Nothing(pointer_to(World), Int)
#: narrow(world, node, who acts) -> how many moves are worth searching
NARROW = Int(pointer_to(World), Int, Int)
#: weigh(world, lane, record, outcome)
WEIGH = Nothing(pointer_to(World), Int, Int, Int)

call_settle = caller(SETTLE)
call_narrow = caller(NARROW)
call_weigh = caller(WEIGH)

call_context = caller(CONTEXT)
call_policy = caller(POLICY)
call_weight = caller(WEIGHT)
call_statistic = caller(STATISTIC)
call_leaf_rule = caller(LEAF_RULE)
call_prior = caller(PRIOR)
call_filter = caller(FILTER)
call_lesson = caller(LESSON)
call_evaluator = caller(EVALUATOR)
call_evaluation = caller(EVALUATION)
call_backup = caller(BACKUP)
