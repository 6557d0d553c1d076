// SPDX-License-Identifier: MIT

/** First in, first out; taking costs the same however many wait. */
export class Queue<Item> {
  private items: Item[] = [];
  /** Before it, all are taken. */
  private next = 0;

  get size(): number {
    return this.items.length - this.next;
  }

  put(item: Item): void {
    this.items.push(item);
  }

  peek(): Item | undefined {
    return this.items[this.next];
  }

  take(): Item | undefined {
    const item = this.items[this.next];
    if (this.size > 0) ++this.next;
    if (this.next * 2 > this.items.length) this.remove(() => false);
    return item;
  }

  /** Those of which `isGone` says so, of those that wait. */
  remove(isGone: (item: Item) => boolean): void {
    this.items = this.items.slice(this.next).filter((item) => !isGone(item));
    this.next = 0;
  }
}

/**
 * Reports on their way from the stream to the game. A game that is not interested need not poll them: past REPORTS_MAX
 * the oldest are dropped.
 */
export class Recent<Report> extends Queue<Report> {
  static readonly REPORTS_MAX = 16_384;

  override put(report: Report): void {
    if (this.size === Recent.REPORTS_MAX) this.take();
    super.put(report);
  }
}
