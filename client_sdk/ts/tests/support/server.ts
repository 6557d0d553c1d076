// SPDX-License-Identifier: MIT
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "./wait.js";

const SWEEPD = process.env.SWEEPD;

/** The rules of all matches here, but for what a test adds. Their times are those of a busy machine. */
export const SHOOTER = `
layers = ["ship", "shot", "enemy", "bullet"]
clearable_layers = ["bullet"]
heartbeat_ticks = 1
history_ticks = 3600
reconnect_ticks = 36000
clock_control_roles = ["player"]

[playfield]
min_x = -4000
min_y = -4000
max_x = 4000
max_y = 4000

[collides]
ship = ["enemy", "bullet", "ship"]
shot = ["enemy"]

[claims]
policy = "observe"
rewind_ticks_max = 3600
delay_allowance_ticks = 3600

[[scoring]]
layer_a = "ship"
layer_b = "enemy"
when = "enter"
points = 10
`;

/** A real server in a process of its own, with both doors open. */
export class Server {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(options: string[] = []): Promise<Server> {
    if (SWEEPD === undefined) throw new Error("SWEEPD has to name the server's program, with sweepctl beside it");
    const folder = mkdtempSync(join(tmpdir(), "sweepd-ts-"));
    const files = ["--ready-file", join(folder, "port"), "--ws-port-file", join(folder, "ws-port")];
    const listen = ["--listen", "127.0.0.1:0", "--ws-listen", "127.0.0.1:0", "--log-level", "warn"];
    const child = spawn(SWEEPD, [...listen, ...files, ...options], { stdio: ["ignore", "ignore", "inherit"] });
    const server = new Server(child, folder);
    await until(() => existsSync(join(folder, "port")) || child.exitCode !== null);
    return server;
  }

  get port(): number {
    return this.portIn("ws-port");
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Creates a match by these rules and gives its id. */
  create(rules = SHOOTER, options: string[] = []): string {
    const file = join(this.folder, "match.toml");
    writeFileSync(file, rules);
    return this.control("create", "--config", file, ...options);
  }

  end(matchId: string): void {
    this.control("end", matchId);
  }

  control(...command: string[]): string {
    const [name = "", ...rest] = command;
    const server = `127.0.0.1:${this.portIn("port")}`;
    return sweepctl(name, "--server", server, ...rest);
  }

  async stop(): Promise<void> {
    const isGone = new Promise((resolve) => this.process.once("exit", resolve));
    if (this.process.kill("SIGTERM")) await isGone;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private portIn(file: string): number {
    return Number(readFileSync(join(this.folder, file), "utf8"));
  }
}

export function sweepctl(...command: string[]): string {
  const program = join(dirname(SWEEPD ?? ""), "sweepctl");
  return execFileSync(program, command, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}
