// SPDX-License-Identifier: MIT
import { defineConfig } from "vitest/config";

/** The tests share few cores with the servers that they start: one file at a time, and bounds that a busy machine keeps. */
export default defineConfig({
  test: {
    include: ["tests/**/*_test.ts"],
    pool: "forks",
    poolOptions: { forks: { singleFork: true } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
