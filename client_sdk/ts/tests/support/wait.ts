// SPDX-License-Identifier: MIT

/** Waits until it holds; the test's own time is the bound. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits until there is one. */
export async function next<Value>(poll: () => Value | undefined): Promise<Value> {
  for (;;) {
    const value = poll();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
