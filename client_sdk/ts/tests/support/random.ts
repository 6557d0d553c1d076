// SPDX-License-Identifier: MIT

/** The same numbers for the same seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  int32(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) | 0;
  }

  below(bound: number): number {
    return (this.int32() >>> 0) % bound;
  }
}
