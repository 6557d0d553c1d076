"""Small scenarios: probe.py HOST:PORT [VERSION]; a file on stdin with a config in text format, then lines 'N: frame' (participant
N of stage 0, player 1, player 2) and 'step' and 'leave N'. Prints what the server and the judge tell."""
import sys
import random_match as m
from google.protobuf import text_format
import judge as J

def play(target, version, text):
    channel = m.grpc.insecure_channel(target)
    stub = m.rpc.MatchServiceStub(channel)
    config_text, _, script = text.partition("\n--\n")
    config = text_format.Parse(config_text, m.types.MatchConfig())
    config.clock, config.heartbeat_ticks, config.reconnect_ticks = m.types.CLOCK_KIND_MANUAL, 1, 0
    match = stub.CreateMatch(m.sweepd.CreateMatchRequest(config=config)).match
    world, seats = J.Judge(match.config, version), {}
    for name, role in (("s", 2), ("p", 1), ("q", 1)):
        world.join(name, role)
        seat = m.Seat(stub, match.match_id, name, role)
        seats[seat.number] = seat
    fed = {n: [] for n in seats}
    for line in script.strip().split("\n"):
        line = line.strip()
        if line == "step":
            for n, frames in fed.items():
                if n in seats:
                    frames.append(m.types.Frame(acknowledged_tick=world.tick))
                    for f in frames:
                        world.arrive(n, f)
                    seats[n].send(frames)
                fed[n] = []
            stub.StepMatch(m.sweepd.StepMatchRequest(match_id=match.match_id, wait_for_frames=True), timeout=10)
            result = world.run_tick()
            for n, seat in seats.items():
                events, rejections, more, destructions, owners = seat.told(result.tick)
                mine, servers = [r[2:] for r in result.rejections[n]], [r[2:] for r in rejections]
                same = [(r[0], r[2]) for r in mine] == [(r[0], r[2]) for r in servers]
                if mine or servers:
                    print(f"tick {result.tick} participant {n}", f"same {len(mine)}" if len(mine) > 9 and same else "same:" if same else f"DIFFERENT, judge {mine}\n  server", servers[:9])
                if more or result.not_listed[n]:
                    print("   not listed", more, result.not_listed[n])
                if n == min(seats):
                    if events or result.events:
                        print(f"tick {result.tick}", "same" if events == result.events else "DIFFERENT, judge\n" + m.text_of(result.events) + "\n  server")
                        print(m.text_of(events))
                    if destructions or owners or result.owner_changes or result.destructions:
                        print("  ", destructions, owners, "same" if (destructions, owners) == (result.destructions, result.owner_changes) else f"DIFFERENT {result.destructions} {result.owner_changes}")
            ask = m.query_rpc.QueryServiceStub(channel).GetWorld(m.query.GetWorldRequest(match_id=match.match_id, objects_max=2000))
            a = [(o.object_id, o.owner, o.x, o.y) for o in ask.objects]
            b = [o[:4] for o in world.world()]
            if a != b: print("  world DIFFERENT judge", b, "server", a)
        elif line.startswith("many"):  # A message of so many frames at once; the judge is told nothing of it.
            _, n, count = line.split()
            seats[int(n)].send([m.types.Frame() for _ in range(int(count))])
        elif line.startswith("stage") or line.startswith("observer"):
            role = 2 if line.startswith("stage") else 3
            world.join(line, role)
            seat = m.Seat(stub, match.match_id, line, role)
            seats[seat.number], fed[seat.number] = seat, []
        elif line.startswith("leave"):
            n = int(line.split()[1]); world.leave(n); seats.pop(n).leave()
        elif line and line[0] != "#":
            n, _, frame = line.partition(":")
            fed[int(n)].append(text_format.Parse(frame, m.types.Frame()))
    stub.EndMatch(m.sweepd.EndMatchRequest(match_id=match.match_id))
    for seat in seats.values():
        seat.call.cancel()

if __name__ == "__main__":
    play(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2, sys.stdin.read())
