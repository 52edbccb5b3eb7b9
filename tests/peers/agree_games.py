"""How each game is called in rulepack and in OpenSpiel, for `agree`.

An adapter says which pack is compared with which game, how a move is called, and how the table is read on both sides.
Its docstring is the translation, with what the printed rules are known to leave different.
"""
import json
import subprocess

import pyspiel


class Rulepack:
    """`rulepack serve --stdio`, as an object with one method for each of its own."""

    def __init__(self, program, library):
        call = [str(program), "--library", str(library), "serve", "--stdio"]
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method, **params):
        if "seat" in params:
            params["as"] = params.pop("seat")
        line = json.dumps({"id": 1, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert "error" not in reply, f"{line}: {reply['error']['code']}: {reply['error']['message']}"
        return reply["result"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Match:
    """One game, on both sides."""

    def __init__(self, adapter, rulepack, seed):
        self.adapter, self.rulepack = adapter, rulepack
        opened = rulepack.ask("open", pack=adapter.pack, players=adapter.players, seed=seed, **adapter.how)
        self.table, self.seats = opened["table"], opened["players"]
        self.peer = pyspiel.load_game(adapter.peer, adapter.parameters).new_initial_state()
        self.count = 0
        self.settle()

    def close(self):
        self.rulepack.ask("close", table=self.table)

    def view(self, seat="public"):
        """What a seat sees."""
        return self.rulepack.ask("view", table=self.table, seat=seat)

    def settle(self):
        """What OpenSpiel leaves to chance came out in rulepack: OpenSpiel is told."""
        while self.peer.is_chance_node():
            outcome = self.adapter.chance(self)
            legal = [action for action, _ in self.peer.chance_outcomes()]
            assert outcome in legal, f"OpenSpiel cannot have {outcome}; it can have {legal}"
            self.peer.apply_action(outcome)

    def is_over(self):
        return self.peer.is_terminal()

    def question(self, table, seat):
        """What a seat is asked at a table, if it is asked."""
        found = self.rulepack.ask("questions", table=table, seat=seat)["questions"]
        return found[0] if found else None

    def paths(self, table, seat, path=()):
        """Every move of a seat: its name, and the options that lead to it, one after the other."""
        question = self.question(table, seat)
        moves = {}
        for option in question["options"] if question else []:
            longer = (*path, option)
            name = self.adapter.name(self, longer)
            if name is not None:
                assert name not in moves, f"two moves of rulepack are called {name}"
                moves[name] = longer
                continue
            copy = self.rulepack.ask("fork", table=table)["table"]
            self.rulepack.ask("answer", table=copy, seat=seat, revision=question["revision"], index=option["index"])
            moves.update(self.paths(copy, seat, longer))
            self.rulepack.ask("close", table=copy)
        return moves

    def answer(self, seat, path):
        """Makes a move in rulepack."""
        for option in path:
            question = self.question(self.table, seat)
            same = [one for one in question["options"] if one["ids"] == option["ids"]]
            assert len(same) == 1, f"{option['ids']} cannot be told apart"
            self.rulepack.ask("answer", table=self.table, seat=seat, revision=question["revision"], index=same[0]["index"])

    def step(self, chance):
        """One decision on both sides; gives 1 if it was forced and rulepack does not ask."""
        self.count += 1
        player = self.peer.current_player()
        theirs = {self.peer.action_to_string(player, action): action for action in self.peer.legal_actions()}
        seat = self.seats[player]
        asked = [one["player"] for one in self.view()["asked"]]
        if len(theirs) == 1 and self.adapter.skips(self, next(iter(theirs)), seat in asked):
            self.peer.apply_action(next(iter(theirs.values())))
            self.settle()
            return 1
        here, there = self.adapter.read(self), self.adapter.read_peer(self)
        assert here == there, f"on the table of rulepack lies {here}, on that of OpenSpiel {there}"
        assert seat in asked, f"OpenSpiel asks {seat}, rulepack asks {asked}"
        ours = self.paths(self.table, seat)
        assert set(ours) == set(theirs), (
            f"{seat}: only in rulepack {sorted(set(ours) - set(theirs))}, only in OpenSpiel {sorted(set(theirs) - set(ours))}"
        )
        chosen = chance.choice(sorted(theirs))
        self.answer(seat, ours[chosen])
        self.peer.apply_action(theirs[chosen])
        self.settle()
        return 0

    def compare_ends(self):
        """Both games are over, and alike."""
        table = self.view()["table"]
        outcome = table.get("outcome")
        assert outcome is not None, "OpenSpiel's game is over, and rulepack's is not"
        here, there = self.adapter.read(self), self.adapter.read_peer(self)
        assert here == there, f"at the end: on the table of rulepack lies {here}, on that of OpenSpiel {there}"
        self.adapter.compare_results(self, outcome)


class Adapter:
    """A game of both."""

    library = "."
    players = 2
    parameters = {}
    # What else `open` is told.
    how = {}

    def start(self, rulepack, seed):
        return Match(self, rulepack, seed)

    def name(self, match, path):
        """The name in OpenSpiel of the move that these options make, or nothing if the move goes on."""
        raise NotImplementedError

    def read(self, match):
        """What lies on rulepack's table."""
        raise NotImplementedError

    def read_peer(self, match):
        """The same on OpenSpiel's."""
        raise NotImplementedError

    def chance(self, match):
        """What came out in rulepack of what OpenSpiel leaves to chance."""
        raise NotImplementedError

    def skips(self, match, move, is_asked):
        """Whether rulepack has made this forced move by itself. The tables are compared at the next decision."""
        return not is_asked

    def compare_results(self, match, outcome):
        """The winners are those to whom OpenSpiel gives the most; all, if it gives all the same."""
        returns = match.peer.returns()
        best = [match.seats[player] for player, points in enumerate(returns) if points == max(returns)]
        assert outcome["winners"] == best, f"rulepack: {outcome['winners']} have won, OpenSpiel: {best}"


def spaces(match, zone, seat="public"):
    """The pieces of a zone of the table, by the names of their spaces: the type of the topmost one."""
    for found in match.view(seat)["table"]["zones"]:
        if found["id"] == zone:
            return {space["name"]: space["pieces"][-1]["type"] for space in found["spaces"] if space["pieces"]}
    raise AssertionError(f"there is no zone {zone}")


def owners(match, zone, marks):
    """The players to whom the pieces of a zone of the table belong, by the names of their spaces: a mark for each player."""
    for found in match.view()["table"]["zones"]:
        if found["id"] == zone:
            owner = {space["name"]: space["pieces"][-1]["variables"]["owner"] for space in found["spaces"] if space["pieces"]}
            return {name: marks[match.seats.index(seat)] for name, seat in owner.items()}
    raise AssertionError(f"there is no zone {zone}")


class TicTacToe(Adapter):
    """`place 2.3` is `x(1,2)` or `o(1,2)`: rows and columns are counted from 0 there. The first player has the crosses."""

    pack, peer, library = "tic-tac-toe", "tic_tac_toe", "tests/fixtures/small"

    def name(self, match, path):
        row, column = path[-1]["ids"][1].split(".")
        return f"{'xo'[match.peer.current_player()]}({int(row) - 1},{int(column) - 1})"

    def read(self, match):
        marks = {"cross": "x", "nought": "o"}
        return {name: marks[piece] for name, piece in spaces(match, "board").items()}

    def read_peer(self, match):
        return read_rows(str(match.peer), "xo")


class ConnectFour(Adapter):
    """`drop 1.4` is `x3` or `o3`: a column is named by its highest space, and counted from 0 there."""

    pack, peer, library = "connect-four", "connect_four", "tests/fixtures/small"

    def name(self, match, path):
        return f"{'xo'[match.peer.current_player()]}{int(path[-1]['ids'][1].split('.')[1]) - 1}"

    def read(self, match):
        marks = {"red": "x", "yellow": "o"}
        return {name: marks[piece] for name, piece in spaces(match, "board").items()}

    def read_peer(self, match):
        return read_rows(str(match.peer), "xo")


def read_rows(picture, marks):
    """The marks of a picture of lines, by row and column from 1."""
    lines = picture.split()
    return {
        f"{row}.{column}": mark
        for row, line in enumerate(lines, 1)
        for column, mark in enumerate(line, 1)
        if mark in marks
    }


RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]


class Goofspiel(Adapter):
    """`jack` is `[P0]Bid: 11`: a card is called by what it counts there, with the player who bids it. Both bid at the same time in
    rulepack; OpenSpiel is asked turn by turn, and hides the first bid too. The last card is bid by itself in both. Equal bids:
    nobody takes the prize, in both."""

    pack, peer = "goofspiel", "turn_based_simultaneous_game"
    parameters = {"game": {"name": "goofspiel", "num_cards": 13, "players": 2, "points_order": "random"}}

    def name(self, match, path):
        return f"[P{match.peer.current_player()}]Bid: {RANKS.index(path[-1]['ids'][-1]) + 1}"

    def chance(self, match):
        """The prize that was turned up."""
        return self.offered(match) - 1

    def offered(self, match):
        prizes = [piece["type"] for piece in pieces(match, "offer")]
        return RANKS.index(prizes[0].removesuffix("_of_diamonds")) + 1

    def read(self, match):
        hands, points = [], []
        for seat in match.seats:
            hands.append(sorted(RANKS.index(piece["type"]) + 1 for piece in pieces(match, "hand", seat)))
            won = [piece["type"].removesuffix("_of_diamonds") for piece in pieces(match, "won", seat)]
            points.append(sum(RANKS.index(rank) + 1 for rank in won))
        return hands, points

    def read_peer(self, match):
        lines = dict(line.split(":", 1) for line in str(match.peer).splitlines() if ":" in line)
        numbers = {name: [int(number) for number in text.split()] for name, text in lines.items()}
        return [numbers[f"P{player} hand"] for player in range(self.players)], numbers["Points"]


def pieces(match, zone, owner=None):
    """The pieces of a zone of the table, or of a player."""
    for found in match.view()["table"]["zones"]:
        if found["id"] == zone and found.get("owner") == owner:
            return [piece for space in found["spaces"] for piece in space["pieces"]]
    raise AssertionError(f"there is no zone {zone}")


class Reversi(Adapter):
    """`place 3.d` is `d3`. Whoever cannot catch anything must choose `pass` there, and is not asked in rulepack."""

    pack, peer = "reversi", "othello"

    def name(self, match, path):
        row, column = path[-1]["ids"][1].split(".")
        return column + row

    def read(self, match):
        return owners(match, "board", "xo")

    def read_peer(self, match):
        rows = [line.split() for line in str(match.peer).splitlines() if line[:1].isdigit()]
        return {f"{row[0]}.{column}": mark for row in rows for column, mark in zip("abcdefgh", row[1:-1]) if mark in "xo"}


class Hex(Adapter):
    """`place 3.d` is `d3`. Nobody may exchange colours after the first stone, as in OpenSpiel without `swap`."""

    pack, peer = "hex", "hex"

    def name(self, match, path):
        row, column = path[-1]["ids"][1].split(".")
        return column + row

    def read(self, match):
        return owners(match, "board", "xo")

    def read_peer(self, match):
        rows = [line.split() for line in str(match.peer).splitlines()]
        return {
            f"{row}.{column}": mark
            for row, marks in enumerate(rows, 1)
            for column, mark in zip("abcdefghijk", marks)
            if mark in "xo"
        }


GAMES = {adapter.pack: adapter for adapter in [TicTacToe(), ConnectFour(), Goofspiel(), Reversi(), Hex()]}

# Rules that are broken to see that it is noticed: the game, the file, what stands there, and what is written instead.
PLANTED = [
    ("connect-four", "content/connect-four/pack.toml", "disc.like_south >= 3", "disc.like_south >= 4"),
    ("goofspiel", "content/goofspiel/game/flow.toml", "it.stake == best) == 1", "it.stake == best) >= 1"),
    ("tic-tac-toe", "content/tic-tac-toe/pack.toml", "space.row + space.column == 4", "space.row + space.column == 5"),
    ("reversi", "content/reversi/pack.toml", "directions = 8", "directions = 4"),
    ("hex", "content/hex/pack.toml", "it.row == 11", "it.row == 10"),
]
