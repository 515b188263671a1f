"""Every game of Icarus as a PettingZoo environment, for multi-agent learners: ``env("hearts")``.

An AEC environment: one agent acts at a time, and :meth:`IcarusEnv.observe` tells an agent what its player may know and nothing
else.  An observation is a dictionary: ``observation`` are the words of the player's view (or their bits), ``action_mask`` has a 1
for every legal action (all 0 for those who are not to act).  See :mod:`icarus.encoding` for both.

Rewards are those of the game, between 0 and 1, given at the end.  Dice, deals and referees are played by the environment from
the seed of ``reset``.  Who moves at the same time acts one after the other and does not see what the others have chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.encoding import Actions, Views, explore
from icarus.errors import GameError, needing
from icarus.game import Game, Position, play_to_decision
from icarus.jit.randomness import seeded
from icarus.loading import load

with needing("environments of PettingZoo", "pettingzoo", extra="pettingzoo"):
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

ILLEGAL_REWARD = -1.0


def env(game: str | Game, render_mode: str | None = None, bits: bool = False) -> Any:
    """The environment of a game, with PettingZoo's usual checks; an illegal action ends the game with a reward of -1.

    ``bits``: observations are zeros and ones, 64 for each word, as a network likes them.
    """
    checked = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode, bits), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def raw_env(game: str | Game, render_mode: str | None = None, bits: bool = False) -> IcarusEnv:
    """The environment without checks."""
    return IcarusEnv(game, render_mode, bits)


class IcarusEnv(AECEnv, EzPickle):  # type: ignore[misc]
    """A game of Icarus behind PettingZoo's interface."""

    def __init__(self, game: str | Game, render_mode: str | None = None, bits: bool = False) -> None:
        EzPickle.__init__(self, game, render_mode, bits)
        super().__init__()
        self.game = load(game) if isinstance(game, str) else game
        if render_mode not in (None, "ansi", "human"):
            raise GameError(f"render_mode={render_mode!r}: choose 'ansi' (a text) or 'human' (the text is printed)")
        self.render_mode = render_mode
        self.metadata = {"render_modes": ["ansi", "human"], "name": f"icarus_{self.game.name}", "is_parallelizable": False}
        met, lengths = explore(self.game)
        self.actions, self.views = Actions(self.game, met), Views(lengths, bits)
        self.possible_agents = [f"player_{i}" for i in range(self.game.players)]
        words = (0, 1, np.int8) if bits else (np.iinfo(np.int64).min, np.iinfo(np.int64).max, np.int64)
        self.action_spaces = {agent: spaces.Discrete(self.actions.size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(words[0], words[1], self.views.shape, words[2]),
                    "action_mask": spaces.Box(0, 1, (self.actions.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.position: Position | None = None
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        start = int(self._random.integers(2**63))
        self.position, self._draws = self.game.start(start), seeded(start, stream=5)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._to_the_next_decision(self.position)

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        position = self._playing()
        chosen = self.legal().get(int(action))
        if chosen is None:
            raise GameError(f"{action!r} is not a legal action of {self.agent_selection} here; action_mask tells which are")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        position.apply(chosen)
        self._to_the_next_decision(position)
        self._accumulate_rewards()

    def _to_the_next_decision(self, position: Position) -> None:
        play_to_decision(position, self._draws)
        if position.is_terminal:
            self.rewards = dict(zip(self.agents, position.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[position.player]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """All that an agent's player may know, and what it may do."""
        mask = np.zeros(self.actions.size, np.int8)
        if agent == self.agent_selection and not self.terminations[agent]:
            mask[list(self.legal())] = 1
        return {"observation": self.views.encode(self._playing(), self.possible_agents.index(agent)), "action_mask": mask}

    def legal(self) -> dict[int, int]:
        """The legal actions here: the environment's number -> the game's."""
        return self.actions.numbered(self._playing().legal())

    def label(self, action: int) -> str:
        """A legal action in words."""
        return self._playing().format_action(self.legal()[action])

    def render(self) -> str | None:
        """The position with everything in it: for whoever watches, not for an agent."""
        text = self._playing().render()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """There is nothing to close."""

    def _playing(self) -> Position:
        if self.position is None:
            raise GameError("no game has begun; call reset first")
        return self.position
