"""How each game is called in rulepack and in OpenSpiel, for `agree`.

An adapter says which pack is compared with which game, how a move is called, and how the table is read on both sides.
Its docstring is the translation, with what the printed rules are known to leave different.
"""
import json
import random
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
        self.count, self.seen = 0, {}
        self.settle()

    def close(self):
        self.rulepack.ask("close", table=self.table)

    def view(self, seat="public"):
        """What a seat sees. It stays the same until somebody answers."""
        if seat not in self.seen:
            self.seen[seat] = self.rulepack.ask("view", table=self.table, seat=seat)
        return self.seen[seat]

    def settle(self):
        """What OpenSpiel leaves to chance came out in rulepack: OpenSpiel is told."""
        while self.peer.is_chance_node():
            outcome = self.adapter.chance(self)
            legal = [action for action, _ in self.peer.chance_outcomes()]
            assert outcome in legal, f"OpenSpiel cannot have {outcome}; it can have {legal}"
            self.peer.apply_action(outcome)

    def is_over(self):
        return self.peer.is_terminal() and not self.adapter.begins_anew(self) or self.adapter.stops(self)

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
            name = self.adapter.name_after(self, longer, copy)
            moves.update(self.paths(copy, seat, longer) if name is None else {name: longer})
            self.rulepack.ask("close", table=copy)
        return moves

    def answer(self, seat, path):
        """Makes a move in rulepack."""
        for option in path:
            question = self.question(self.table, seat)
            same = [one for one in question["options"] if (one["ids"], one.get("about")) == (option["ids"], option.get("about"))]
            assert len(same) == 1, f"{option['ids']} cannot be told apart"
            self.seen = {}
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
        if self.adapter.explains_end(self, table.get("outcome")):
            return
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

    def name_after(self, match, path, table):
        """The name of a move that goes on without a question, because the rest of it is forced; `table` is where it leads."""
        return None

    def stops(self, match):
        """Whether rulepack's game is over by a rule that OpenSpiel does not have; such a rule is named in the docstring."""
        return False

    def begins_anew(self, match):
        """Whether rulepack's game goes on where OpenSpiel's is over: then OpenSpiel has begun another one."""
        return False

    def explains_end(self, match, outcome):
        """Whether one game is over and the other is not, by a rule that only one has; such a rule is named in the docstring."""
        return False

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


def spaces(match, zone, seat="public", key="type"):
    """The pieces of a zone of the table, by the names of their spaces: the type of the topmost one, or what else is asked for."""
    for found in match.view(seat)["table"]["zones"]:
        if found["id"] == zone:
            return {space["name"]: space["pieces"][-1][key] for space in found["spaces"] if space["pieces"]}
    raise AssertionError(f"there is no zone {zone}")


def owners(match, zone, marks, table=None):
    """The players to whom the pieces of a zone of the table belong, by the names of their spaces: a mark for each player."""
    view = match.view() if table is None else match.rulepack.ask("view", table=table, seat="public")
    for found in view["table"]["zones"]:
        if found["id"] == zone:
            owner = {space["name"]: space["pieces"][-1]["variables"]["owner"] for space in found["spaces"] if space["pieces"]}
            return {name: marks[match.seats.index(seat)] for name, seat in owner.items()}
    raise AssertionError(f"there is no zone {zone}")


def space_of(match, zone, handle):
    """The space of a zone of the table on which a piece lies; the number of the piece is that of the player who is asked."""
    for found in match.view(match.seats[match.peer.current_player()])["table"]["zones"]:
        for space in found["spaces"] if found["id"] == zone else []:
            if any(piece["handle"] == handle for piece in space["pieces"]):
                return space["name"]
    raise AssertionError(f"{handle} does not lie on {zone}")


def seen(match, zone, seat):
    """The types of the pieces in a zone of a player, as this player sees them."""
    for found in match.view(seat)["table"]["zones"]:
        if found["id"] == zone and found.get("owner") == seat:
            return [piece["type"] for space in found["spaces"] for piece in space["pieces"]]
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


MORRIS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


class NineMensMorris(Adapter):
    """Points are counted from 0 in reading order there. `place a7`, and `a7` as the man that is taken, are `Point 0`; `move a7`
    and then `a4` are `Move 0 -> 9`. A goal or a man to take without an alternative is not asked in rulepack.
    Printed rules differ in when nobody wins: in rulepack after 100 moves in a row that took nothing, in OpenSpiel after 200 turns."""

    pack, peer = "nine-mens-morris", "nine_mens_morris"

    def start(self, rulepack, seed):
        match = Match(self, rulepack, seed)
        match.men, match.since = None, 0
        return match

    def name(self, match, path):
        if path[-1]["about"].startswith("space:"):
            point = MORRIS.index(path[-1]["about"].split(".")[1])
            return f"Point {point}" if len(path) == 1 else f"Move {self.origin(match, path)} -> {point}"
        return f"Point {self.origin(match, path)}" if path[-1]["ids"][0] != "move" else None

    def origin(self, match, path):
        """The point of a man that is named first."""
        return MORRIS.index(space_of(match, "board", path[0]["about"]))

    def name_after(self, match, path, table):
        before, after = owners(match, "board", "WB"), owners(match, "board", "WB", table)
        mark = "WB"[match.peer.current_player()]
        moved = [MORRIS.index(point) for point in after if point not in before and after[point] == mark]
        return f"Move {self.origin(match, path)} -> {moved[0]}" if moved else None

    def read(self, match):
        return owners(match, "board", "WB")

    def read_peer(self, match):
        lines = str(match.peer).splitlines()
        men, turn = lines[17], int(lines[15].split()[-1])
        if men != match.men:
            match.men, match.since = men, turn
        match.quiet = turn - match.since
        marks = "".join(mark for line in lines[:13] for mark in line if mark in ".WB")
        return {point: mark for point, mark in zip(MORRIS, marks) if mark != "."}

    def stops(self, match):
        return match.view()["table"].get("outcome") is not None and not match.peer.is_terminal()

    def begins_anew(self, match):
        """Whether rulepack's game goes on where OpenSpiel's is over: then OpenSpiel has begun another one."""
        return False

    def explains_end(self, match, outcome):
        here, there = self.read(match), self.read_peer(match)
        assert here == there, f"at the end: on the table of rulepack lies {here}, on that of OpenSpiel {there}"
        if not match.peer.is_terminal():
            assert match.quiet == 100 and outcome["winners"] == match.seats, f"{outcome} after {match.quiet} quiet moves"
        return not match.peer.is_terminal() or outcome is None and "Turn number: 200" in str(match.peer)


class Draughts(Adapter):
    """`step` or `jump` with the man on `3.c`, and then `4.b`, are `c3b4`. Each jump is a move of its own in both. A goal without an
    alternative is not asked in rulepack. Men are o and +, kings 8 and *.
    Printed rules differ in when nobody wins: in rulepack after 80 moves in a row of kings that took nothing, in OpenSpiel after
    40 moves in a row that took nothing, whoever moved."""

    pack, peer = "draughts", "checkers"

    def start(self, rulepack, seed):
        match = Match(self, rulepack, seed)
        match.left, match.since = None, 0
        return match

    def name(self, match, path):
        if not path[-1]["about"].startswith("space:"):
            return None
        row, column = path[-1]["about"].split(".")[1:]
        return self.origin(match, path) + column + row

    def origin(self, match, path):
        """The space of a man that is named first."""
        row, column = space_of(match, "board", path[0]["about"]).split(".")
        return column + row

    def name_after(self, match, path, table):
        before, after = owners(match, "board", "o+"), owners(match, "board", "o+", table)
        mark = "o+"[match.peer.current_player()]
        moved = [space for space in after if space not in before and after[space] == mark]
        return self.origin(match, path) + moved[0][2] + moved[0][0] if moved else None

    def read(self, match):
        kings = spaces(match, "board", key="flipped")
        return {space: {"o": "8", "+": "*"}[mark] if kings[space] else mark for space, mark in owners(match, "board", "o+").items()}

    def read_peer(self, match):
        rows = str(match.peer).splitlines()[:8]
        men = {f"{row[0]}.{column}": mark for row in rows for column, mark in zip("abcdefgh", row[1:]) if mark != "."}
        if len(men) != match.left:
            match.left, match.since = len(men), len(match.peer.history())
        return men

    def begins_anew(self, match):
        """Whether rulepack's game goes on where OpenSpiel's is over: then OpenSpiel has begun another one."""
        return False

    def explains_end(self, match, outcome):
        here, there = self.read(match), self.read_peer(match)
        assert here == there, f"at the end: on the table of rulepack lies {here}, on that of OpenSpiel {there}"
        return outcome is None and len(match.peer.history()) - match.since == 40


class Hearts(Adapter):
    """`play clubs_2`, and `clubs_2` as a card to pass on, are `2C`. All pass on cards at the same time in rulepack;
    OpenSpiel is asked player by player, and takes each card out of the hand at once, so that hands are compared after it: each when its player is asked.
    OpenSpiel plays one deal; for every deal of rulepack it begins a new game, with the cards and the direction of that deal.
    In both, only a heart breaks hearts, and no points may be played to the first trick. The points of all deals are added up."""

    pack, peer, players = "hearts", "hearts", 4
    parameters = {"qs_breaks_hearts": False}
    # Nobody, left, across, right: how OpenSpiel counts the directions, by the deals of rulepack.
    directions = [0, 1, 3, 2]

    def start(self, rulepack, seed):
        self.points, self.deal = [0] * 4, 1
        return Match(self, rulepack, seed)

    def name(self, match, path):
        name = path[-1]["ids"][-1]
        return self.card(name) if "_" in name else name

    def card(self, name):
        suit, rank = name.split("_")
        return "23456789TJQKA"[int(rank) - 2] + suit[0].upper()

    def cards(self, match, zone, seat):
        """The cards of a zone of a player, as this player sees them."""
        return sorted(self.card(name) for name in seen(match, zone, seat))

    def chance(self, match):
        """The direction, and then the cards: the players get them in turn."""
        dealt = len(match.peer.history()) - 1
        if dealt < 0:
            return self.directions[self.deal % 4]
        card = self.cards(match, "hand", match.seats[dealt % 4])[dealt // 4]
        names = {match.peer.action_to_string(action): action for action, _ in match.peer.chance_outcomes()}
        return names[card]

    def passes(self, match):
        """Whether cards are passed on now."""
        return len(match.peer.history()) < 53 + (12 if self.deal % 4 else 0)

    def read(self, match):
        if self.passes(match):
            return None
        seat = match.seats[match.peer.current_player()]
        points = [player["values"]["penalty"] for player in match.view(seat)["table"]["players"]]
        return self.cards(match, "hand", seat), points

    def read_peer(self, match):
        if self.passes(match):
            return None
        lines = match.peer.information_state_string(match.peer.current_player()).splitlines()
        start = lines.index("Hand: ") + 1
        suits = [line.split() for line in lines[start:start + 4]]
        hand = sorted(rank + suit for suit, ranks in suits for rank in ranks if ranks != "none")
        if "Points:" not in lines:
            return hand, [0] * 4
        return hand, [int(line.split()[1]) for line in lines[lines.index("Points:") + 1:][:4]]

    def begins_anew(self, match):
        self.points = [sum(pair) for pair in zip(self.points, (26 - int(points) for points in match.peer.returns()))]
        table = match.view()["table"]
        here = [player["variables"]["points"] for player in table["players"]]
        assert here == self.points, f"after deal {self.deal} the points of rulepack are {here}, those of OpenSpiel {self.points}"
        if max(self.points) >= 100:
            return False
        self.deal += 1
        match.peer = pyspiel.load_game(self.peer, self.parameters).new_initial_state()
        match.settle()
        return True

    def explains_end(self, match, outcome):
        fewest = [seat for seat, points in zip(match.seats, self.points) if points == min(self.points)]
        assert outcome["winners"] == fewest, f"rulepack: {outcome['winners']} have won, and {fewest} have the fewest points"
        return True


class LiarsDice(Adapter):
    """`bid 3` and then `four` are `3-3`; `liar` is `Liar`. Faces are called by their order: `two` is 1 there, `six` is 5, and the
    `ace`, which counts as every face, is 6. A face without an alternative is not asked in rulepack.
    OpenSpiel plays one round of two players with equally many dice, and the first player begins. So each round of rulepack in
    which both have as many is compared with a game of its own, and the others are played by chance in between."""

    pack, peer = "liars-dice", "liars_dice"
    parameters = {"players": 2, "numdice": 5}
    faces = ["two", "three", "four", "five", "six", "ace"]

    def start(self, rulepack, seed):
        self.dice = {"player_1": 5, "player_2": 5}
        self.random = random.Random(seed)
        return Match(self, rulepack, seed)

    def chance(self, match):
        """The next die of the first player, then of the second."""
        rolled, each = len(match.peer.history()), self.dice[match.seats[0]]
        return self.faces.index(seen(match, "cup", match.seats[rolled // each])[rolled % each])

    def name(self, match, path):
        if path[0]["ids"] == ["liar"]:
            return "Liar"
        return self.bid(path[0]["ids"][1], path[1]["ids"][0]) if len(path) == 2 else None

    def name_after(self, match, path, table):
        variables = match.rulepack.ask("view", table=table, seat="public")["table"]["variables"]
        is_asked = match.question(table, match.seats[match.peer.current_player()]) is not None
        return None if is_asked else self.bid(variables["bid_number"], variables["bid_face"])

    def bid(self, number, face):
        return f"{number}-{self.faces.index(face) + 1}"

    def read(self, match):
        variables = match.view()["table"]["variables"]
        return self.bid(variables["bid_number"], variables["bid_face"]) if variables["bid_number"] else None

    def read_peer(self, match):
        words = str(match.peer).split()
        return words[-1] if len(words) > 2 else None

    def left(self, match):
        """The dice that each player has in rulepack."""
        return {player["id"]: player["variables"]["dice"] for player in match.view()["table"]["players"]}

    def begins_anew(self, match):
        loser = match.seats[match.peer.returns().index(-1.0)]
        self.dice[loser] -= 1
        while True:
            table = match.view()["table"]
            assert self.left(match) == self.dice, f"the players of rulepack have {self.left(match)} dice, and {self.dice} are right"
            assert table["variables"]["starter"] == loser, f"{loser} must begin, not {table['variables']['starter']}"
            if min(self.dice.values()) == 0:
                return False
            if len(set(self.dice.values())) == 1:
                break
            before = dict(self.dice)
            while self.left(match) == before:
                seat = match.view()["asked"][0]["player"]
                match.answer(seat, [self.random.choice(match.question(match.table, seat)["options"])])
            self.dice = self.left(match)
            loser = next(player for player in before if before[player] != self.dice[player])
        match.seats = [loser, *(seat for seat in match.seats if seat != loser)]
        match.peer = pyspiel.load_game(self.peer, {"players": 2, "numdice": self.dice[loser]}).new_initial_state()
        match.settle()
        return True

    def explains_end(self, match, outcome):
        winners = [player for player, dice in self.dice.items() if dice > 0]
        assert outcome["winners"] == winners, f"rulepack: {outcome['winners']} have won, and {winners} have dice"
        return True


GAMES = {adapter.pack: adapter for adapter in [TicTacToe(), ConnectFour(), Goofspiel(), Reversi(), Hex(), NineMensMorris(), Draughts(), Hearts(), LiarsDice()]}

# Rules that are broken to see that it is noticed: the game, the file, what stands there, and what is written instead.
PLANTED = [
    ("connect-four", "content/connect-four/pack.toml", "disc.like_south >= 3", "disc.like_south >= 4"),
    ("goofspiel", "content/goofspiel/game/flow.toml", "it.stake == best) == 1", "it.stake == best) >= 1"),
    ("tic-tac-toe", "content/tic-tac-toe/pack.toml", "space.row + space.column == 4", "space.row + space.column == 5"),
    ("reversi", "content/reversi/pack.toml", "directions = 8", "directions = 4"),
    ("hex", "content/hex/pack.toml", "it.row == 11", "it.row == 10"),
    ("nine-mens-morris", "content/nine-mens-morris/pack.toml", "count(my men) == 3 or", "count(my men) == 4 or"),
    ("nine-mens-morris", "content/nine-mens-morris/pack.toml", "where not it.in_mill or", "where it.in_mill or"),
    ("hearts", "content/hearts/pack.toml", "it.suit != 'hearts' or hearts_broken or", "hearts_broken or"),
    ("hearts", "content/hearts/pack.toml", "if shot then 26 - player.penalty else", "if shot then player.penalty else"),
    ("hearts", "content/hearts/pack.toml", "trick > 1 or it.penalty == 0", "trick > 1 or true"),
    ("liars-dice", "content/liars-dice/pack.toml", "it is ace or it.type", "it.type"),
    ("liars-dice", "content/liars-dice/pack.toml", "amount > bid_number or it.rank", "amount >= bid_number or it.rank"),
    ("liars-dice", "content/liars-dice/pack.toml", "found < bid_number then bidder else me", "found <= bid_number then bidder else me"),
    ("draughts", "content/draughts/pack.toml", "crowned or not man.jumping", "not man.jumping"),
    ("draughts", "content/draughts/pack.toml", "(it.jumping or none(my men where it.jumping))", "true"),
    ("draughts", "content/draughts/pack.toml", "where it.owner == man.owner", "where it.owner != man.owner"),
]
