// SPDX-License-Identifier: MIT

/** Goes off once; a new start replaces the one before. */
export class Timer {
  private handle: ReturnType<typeof setTimeout> | undefined;

  start(timeMs: number, act: () => void): void {
    this.stop();
    this.handle = setTimeout(act, timeMs);
  }

  stop(): void {
    clearTimeout(this.handle);
    this.handle = undefined;
  }
}
