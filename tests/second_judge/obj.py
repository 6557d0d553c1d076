"""obj.py HOST:PORT SEED VERSION ID [CONFIG-WORD]: up to the difference, each row of a frame that names the object, and its state."""
import re, sys
import random_match as m
channel = m.grpc.insecure_channel(sys.argv[1])
match = m.Match(channel, int(sys.argv[2]), int(sys.argv[3]))
wanted = int(sys.argv[4])
run = match.judge.run_tick
def logged():
    r = run()
    o = match.judge.objects.get(wanted)
    if o:
        b = o.budget
        print("tick", match.judge.tick, "at", (o.x, o.y), "v", o.velocity, o.acceleration, "frozen", o.frozen, "exp", o.expires, "layers", [p.layer for p in o.parts], "limit", match.judge.layer_limits.of(o.parts), b and vars(b), "left", o.left)
    return r
match.judge.run_tick = logged
import judge, participants, limits
for name in ("move", "teleport", "spawn", "reshape", "change_layer", "turn"):
    def wrap(f=getattr(judge.Judge, name), name=name):
        def g(self, p, row):
            i = getattr(row, "object_id", None) or (row[0] if isinstance(row, tuple) else 0)
            if i != wanted: return f(self, p, row)
            try:
                r = f(self, p, row); res = "ok"
            except participants.Refused as e: res = str(e.args); raise
            except limits.TooFast as e: res = "TOO_FAST"; raise
            finally:
                o = self.objects.get(wanted)
                print("  ", self.tick, name, row if isinstance(row, tuple) else m.text_format.MessageToString(row, as_one_line=True)[:700], "->", res, o and o.budget and vars(o.budget))
            return r
        return g
    setattr(judge.Judge, name, wrap())
try:
    match.run()
except m.Difference as d:
    print(str(d)[:600])
print(match.judge.layer_limits.speeds, match.judge.layer_limits.stay, match.judge.layer_limits.spread)
