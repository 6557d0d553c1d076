// SPDX-License-Identifier: MIT
//
// Protects the list of what every SDK does: each test that it names is there.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SDK = join(import.meta.dirname, "../..");
const SOURCE = process.env.SWEEPD_SOURCE_DIR ?? join(SDK, "../..");
const MISSING = "—";

function textsBelow(folder: string, ending: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** "Suite.Name" */
function cppTests(): Set<string> {
  const names = new Set<string>();
  for (const text of textsBelow(join(SOURCE, "tests"), "_test.cpp").values()) {
    for (const [, suite = "", name = ""] of text.matchAll(/^TEST(?:_F|_P)?\((\w+), (\w+)\)/gm)) names.add(`${suite}.${name}`);
  }
  return names;
}

/** "file: title" */
function typescriptTests(): Set<string> {
  const names = new Set<string>();
  for (const [file, text] of textsBelow(join(SDK, "tests"), "_test.ts")) {
    const base = file.replace(/^.*\//, "").replace(/\.ts$/, "");
    for (const [, title = ""] of text.matchAll(/^ *test\("([^"]+)"/gm)) names.add(`${base}: ${title}`);
  }
  return names;
}

/** The cells of each row, without backticks. */
function rows(): string[][] {
  const page = readFileSync(join(SOURCE, "client_sdk/CONFORMANCE.md"), "utf8");
  const [, ...lines] = page.split("\n").filter((line) => line.startsWith("| "));
  return lines.map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", ""))
      .slice(1, -1),
  );
}

test("every behaviour is ticked off by tests that exist, or said to be missing", () => {
  const known = [cppTests(), typescriptTests()];
  const named = rows();
  expect(named.length).toBeGreaterThan(30);
  for (const [behaviour = "", ...cells] of named) {
    expect(cells, behaviour).toHaveLength(known.length);
    for (const [column, cell] of cells.entries())
      expect(cell === MISSING || known[column]?.has(cell), `${behaviour}: ${cell}`).toBe(true);
  }
  expect(new Set(named.map(([behaviour]) => behaviour)).size).toBe(named.length);
});
