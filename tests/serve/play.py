"""Plays whole games through `rulepack serve --stdio`, as a program in another language would.

    python3 play.py PROGRAM LIBRARY PACK...

It needs the standard library only. Each game is played by chance to its end; on the way it looks at the table from every
seat, takes answers back, saves and loads, and says things that must be refused. It prints one line for each game.
"""

import json
import random
import subprocess
import sys


class Refused(Exception):
    """An error that the program gave in reply."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]


class Rulepack:
    """The program, as an object with one method for each of its own."""

    def __init__(self, program, library):
        call = [program, "--library", library, "serve", "--stdio"]
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0

    def line(self, line):
        """Sends one line, whatever it is, and gives the reply."""
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.asked += 1
        reply = self.line(json.dumps({"id": self.asked, "method": method, "params": params}).encode())
        assert reply["id"] == self.asked, reply
        if "error" in reply:
            raise Refused(reply["error"])
        return reply["result"]

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, "the program ends well at the end of its input"


def handles_of(thing):
    """All handles in a view."""
    if isinstance(thing, dict):
        if isinstance(thing.get("handle"), str):
            yield thing["handle"]
        for value in thing.values():
            yield from handles_of(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from handles_of(value)


def must_be_refused(rulepack, table, seat, question, others):
    """Each of these gets its error and changes nothing."""
    before = rulepack.ask("questions", table=table, **{"as": seat})
    wrong = [
        ("stale-revision", dict(seat=seat, revision=question["revision"] + 1, index=0)),
        ("stale-revision", dict(seat=seat, revision=question["revision"] - 1, index=0)),
        ("out-of-range", dict(seat=seat, revision=question["revision"], index=len(question["options"]))),
        ("unknown-player", dict(seat="player_99", revision=1, index=0)),
        ("unknown-player", dict(seat="nobody", revision=1, index=0)),
    ]
    wrong += [("not-asked", dict(seat=other, revision=question["revision"], index=0)) for other in others]
    for code, call in wrong:
        try:
            rulepack.ask("answer", table=table, revision=call["revision"], index=call["index"], **{"as": call["seat"]})
        except Refused as refused:
            assert refused.code == code, (code, refused)
        else:
            raise AssertionError(f"{call} was taken")
    garbage = [
        (b"", "not-json"), (b"nonsense", "not-json"), (b"\xff\xfe", "not-json"), (b"[[[[", "not-json"),
        (b'{"method": "view"}', "bad-request"), (b'{"id": 7}', "bad-request"), (b"[]", "bad-request"),
        (b'{"id": {}, "method": "view"}', "bad-request"), (b'{"id": 1, "method": "wiev", "params": {}}', "unknown-method"),
        (b'{"id": 1, "method": "view", "params": {"table": "one", "as": "public"}}', "bad-params"),
        (b'{"id": 1, "method": "view", "params": {"table": 987654, "as": "public"}}', "unknown-table"),
        (b'{"id": 1, "method": "open", "params": {"pack": "no-such-pack"}}', "unknown-pack"),
        (b'{"id": 1, "method": "load", "params": {"text": "nonsense"}}', "bad-save"),
    ]
    for line, code in garbage:
        reply = rulepack.line(line)
        assert reply["error"]["code"] == code, (line, reply)
    assert rulepack.ask("questions", table=table, **{"as": seat}) == before, "a refusal changed the table"


def play(rulepack, pack, seed):
    chance = random.Random(seed)
    opened = rulepack.ask("open", pack=pack["id"], players=max(pack["players"][0], min(2, pack["players"][1])), seed=seed)
    table, seats = opened["table"], opened["players"]
    decisions = clicks = 0
    undone = False
    looked_at = {30, 200}
    # Answers of players who choose at the same time: nobody is told before all have chosen.
    untold = []
    # How many answers were told together, each time.
    told_together = []
    while True:
        asked = rulepack.ask("view", table=table, **{"as": "public"})["asked"]
        if not asked:
            break
        asked = [one["player"] for one in asked]
        seat = chance.choice(asked) if len(asked) > 1 else asked[0]
        view = rulepack.ask("view", table=table, **{"as": seat})
        questions = rulepack.ask("questions", table=table, **{"as": seat})["questions"]
        question = questions[0]
        own = [one for one in view["asked"] if one["player"] == seat]
        assert [one["revision"] for one in own] == [question["revision"]], (question, own)
        # What an option is about can be clicked on: the view shows it, or the question does.
        there = set(handles_of(view)) | set(handles_of(question.get("shown", [])))
        for option in question["options"]:
            about = option.get("about")
            assert about is None or about in there or about.startswith("type:"), (option, sorted(there))
            clicks += about is not None
        others = [other for other in seats if other not in asked]
        for other in others if decisions % 10 == 0 else []:
            assert rulepack.ask("questions", table=table, **{"as": other})["questions"] == []
        if decisions == 5:
            must_be_refused(rulepack, table, seat, question, others)
        # By the weights of the pack, as `rulepack sim` does: a game in which everything is as likely as passing may never end.
        weights = [option["weight"] for option in question["options"]]
        option = chance.choices(question["options"], weights if any(weights) else None)[0]
        result = rulepack.ask("answer", table=table, revision=question["revision"], index=option["index"], **{"as": seat})
        untold.append((seat, option["text"]))
        if not result["entries"]:
            assert result["answers"] == decisions
            loaded = rulepack.ask("load", text=rulepack.ask("save", table=table)["text"])
            for other in seats:
                texts = [
                    [(one["text"], len(one["options"])) for one in rulepack.ask("questions", table=both, **{"as": other})["questions"]]
                    for both in (table, loaded["table"])
                ]
                assert texts[0] == texts[1], f"{other} is asked something else after loading"
            rulepack.ask("close", table=loaded["table"])
            continue
        decisions += len(untold)
        assert result["answers"] == decisions
        assert len(result["entries"]) == len(untold)
        told = [entry["answer"] for entry in result["entries"] if entry["player"] == seat]
        assert told == [text for player, text in untold if player == seat]
        told_together.append(len(untold))
        untold = []
        if decisions >= 12 and not undone:
            undone = True
            back = rulepack.ask("undo", table=table, answers=3, also_reveals=True)
            # Of answers that were given at the same time all are taken back.
            dropped = 0
            while dropped < 3:
                dropped += told_together.pop()
            assert back["undone"] == 1 and back["answers"] == decisions - dropped, back
            decisions = back["answers"]
        if decisions in looked_at:
            looked_at.remove(decisions)
            text = rulepack.ask("save", table=table)["text"]
            loaded = rulepack.ask("load", text=text)
            assert loaded["answers"] == decisions
            for viewer in seats + ["public"]:
                logs = [rulepack.ask("log", table=one, **{"as": viewer})["entries"] for one in (table, loaded["table"])]
                told = [[(e["number"], e.get("answer"), [t["text"] for t in e["told"]]) for e in log] for log in logs]
                assert told[0] == told[1], f"{viewer} is told something else after loading"
            rulepack.ask("close", table=table)
            table = loaded["table"]
    outcome = rulepack.ask("view", table=table, **{"as": "public"})["table"]["outcome"]
    assert outcome["winners"] and len(outcome["sheets"]) == len(seats), outcome
    try:
        rulepack.ask("answer", table=table, revision=1, index=0, **{"as": seats[0]})
    except Refused as refused:
        assert refused.code == "game-over", refused
    rulepack.ask("close", table=table)
    print(f"{pack['id']}: {decisions} decisions, {clicks} options with a handle, won by {', '.join(outcome['winners'])}")


def main():
    program, library, *wanted = sys.argv[1:]
    rulepack = Rulepack(program, library)
    assert rulepack.ask("hello")["protocol"] == 1
    packs = {pack["id"]: pack for pack in rulepack.ask("packs")["packs"]}
    for name in wanted:
        play(rulepack, packs[name], seed=7)
    rulepack.close()


if __name__ == "__main__":
    main()
