// SPDX-License-Identifier: MIT

/** How long to wait before each attempt to come back: twice as long each time, up to the longest, shortened at random. */
export class ReconnectPauses {
  private upcoming: number;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
    private readonly random: () => number = Math.random,
  ) {
    this.upcoming = firstMs;
  }

  restart(): void {
    this.upcoming = this.firstMs;
  }

  nextMs(): number {
    const full = Math.min(this.upcoming, this.longestMs);
    this.upcoming = full * 2;
    return full - (this.random() * full) / 2;
  }
}
