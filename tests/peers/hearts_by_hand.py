#!/usr/bin/env python3
"""Hearts in plain Python, as somebody would write it for this one game, beside the pack `hearts`: decisions per CPU second.

    tests/peers/hearts_by_hand.py                      # both, one after the other, three rounds
    tests/peers/hearts_by_hand.py --program PROGRAM    # another build than target/release/rulepack

Both play random games to 100 points. A decision is a card that is passed on or played, forced or not, in both. Only the ratio
of one run counts: the machine and the day make the figures.
"""
import argparse
import random
import re
import resource
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
DECK = [(suit, rank) for suit in range(4) for rank in range(2, 15)]
FIRST, QUEEN = (CLUBS, 2), (SPADES, 12)


def penalty(card):
    """What a card counts."""
    return 13 if card == QUEEN else int(card[0] == HEARTS)


class Hearts:
    """A game of four players, who choose by chance."""

    def __init__(self, chance):
        self.chance = chance
        self.points = [0] * 4
        self.deal = self.decisions = 0

    def choose(self, cards):
        self.decisions += 1
        return self.chance.choice(cards)

    def play(self):
        while max(self.points) < 100:
            self.deal += 1
            self.play_deal()

    def play_deal(self):
        deck = DECK[:]
        self.chance.shuffle(deck)
        self.hands = [deck[13 * player:13 * player + 13] for player in range(4)]
        self.broken = False
        self.pass_on()
        leader = next(player for player in range(4) if FIRST in self.hands[player])
        taken = [0] * 4
        for trick in range(13):
            played = self.play_trick(leader, trick)
            led = played[0][1][0]
            leader = max((card[1], player) for player, card in played if card[0] == led)[1]
            taken[leader] += sum(penalty(card) for _, card in played)
        if 26 in taken:
            taken = [26 - points for points in taken]
        self.points = [sum(pair) for pair in zip(self.points, taken)]

    def pass_on(self):
        """To the left, to the right, across, and in every fourth deal not at all."""
        way = [0, 1, 3, 2][self.deal % 4]
        if way == 0:
            return
        passed = []
        for hand in self.hands:
            rest = hand[:]
            for _ in range(3):
                rest.remove(self.choose(rest))
            passed.append([card for card in hand if card not in rest])
        for player, cards in enumerate(passed):
            for card in cards:
                self.hands[player].remove(card)
                self.hands[(player + way) % 4].append(card)

    def play_trick(self, leader, trick):
        played = []
        for step in range(4):
            player = (leader + step) % 4
            hand = self.hands[player]
            card = self.choose(self.playable(hand, trick, played[0][1][0] if played else None))
            hand.remove(card)
            self.broken = self.broken or card[0] == HEARTS
            played.append((player, card))
        return played

    def playable(self, hand, trick, led):
        if led is not None:
            following = [card for card in hand if card[0] == led]
            harmless = [card for card in hand if penalty(card) == 0]
            return following or (harmless if trick == 0 else []) or hand
        if trick == 0:
            return [FIRST]
        others = [card for card in hand if card[0] != HEARTS]
        return hand if self.broken else others or hand


def by_hand(seconds):
    """Decisions per CPU second."""
    decisions, seed, start = 0, 0, time.process_time()
    while time.process_time() - start < seconds:
        game = Hearts(random.Random(seed))
        game.play()
        decisions += game.decisions
        seed += 1
    return decisions / (time.process_time() - start)


def cpu_time(program, games):
    """What a simulation takes, with the number of its decisions."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call = [program, "--library", ROOT, "sim", "hearts", "--games", str(games), "--threads", "1"]
    told = subprocess.run(call, text=True, capture_output=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(re.search(r"^decisions\s+(\d+)", told, re.MULTILINE)[1])


def by_rulepack(program, games=200):
    """Decisions per CPU second, without what it takes to start and to read the pack."""
    (few_seconds, few), (seconds, decisions) = cpu_time(program, 1), cpu_time(program, games)
    return (decisions - few) / (seconds - few_seconds)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", type=Path, default=ROOT / "target/release/rulepack")
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    ratios = []
    for _ in range(chosen.rounds):
        python, rulepack = by_hand(3), by_rulepack(chosen.program)
        ratios.append(rulepack / python)
        print(f"plain Python {python:,.0f} decisions per CPU second, rulepack {rulepack:,.0f}: {ratios[-1]:.2f} times as many", flush=True)
    print(f"the middle of {chosen.rounds} rounds: {statistics.median(ratios):.2f} times as many, and 3 are wanted")


if __name__ == "__main__":
    main()
