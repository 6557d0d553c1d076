// node first_match.js ws://127.0.0.1:7780 MATCH
import { centeredBox, Client, Part, SessionState } from "sweepd-client";

const session = new Client({ server: process.argv[2] }).join({ matchId: process.argv[3], name: "ann" });
while (session.state === SessionState.Connecting) await session.changed();
session.spawn({ parts: [Part.box(centeredBox(16, 16), 0)] });
session.spawn({ position: { x: 0, y: -60 }, parts: [Part.box(centeredBox(4, 4), 1)], motion: { velocity: { x: 0, y: 2 } } });
session.endFrame();
for (let exits = 0; exits < 1 && (await session.changed());)
  for (let event; (event = session.pollEvent()); exits += event.kind === "EXIT" ? 1 : 0)
    console.log(event.kind, event.objectA, event.objectB);
if (!session.error.ok) console.error(session.error.message);
session.leave();
