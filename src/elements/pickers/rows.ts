/** So many rows are made at once; the others of a long list are room. */
const MOST = 40;
/** How many rows are made beyond what is seen, on either side. */
const BEYOND = 6;
/** How tall a row is taken to be, in pixels, while none was measured. */
const USUAL = 56;

/** A stretch of a list: rows from `from` to before `to`, or the room that they would take, in pixels. */
export type Stretch = {readonly from: number; readonly to: number} | {readonly room: number};

/**
 * Which rows of a long list are made: those that are seen, a few around them, and the one that the keyboard is at, however far
 * away that is. Rows may differ in height: each is as tall as it was when it was last made.
 */
export class Rows {
  #count = 0;
  #from = 0;
  #to = 0;
  /** How many are made at once: more where more are seen. */
  #most = MOST;
  #heights: number[] = [];
  #usual = USUAL;
  #isMeasured = false;

  /** Takes another list, seen from its beginning. */
  begin(count: number): void {
    this.#count = count;
    this.#heights = [];
    this.#set(0);
  }

  /** Whether there are more of them than are made. */
  get isLong(): boolean {
    return this.#count > this.#most;
  }

  /** Makes those around a row, before it is seen. */
  turnTo(row: number): void {
    if (row < this.#from || row >= this.#to) this.#set(row - this.#most / 2);
  }

  /** Makes those that are seen between two places, in pixels from the beginning of the list. Answers whether these are others. */
  see(top: number, bottom: number): boolean {
    let row = 0;
    for (let end = this.#height(0); end <= top && row < this.#count - 1; end += this.#height(row)) row += 1;
    let last = row;
    for (let end = this.#height(row); end < bottom - top && last < this.#count - 1; end += this.#height(last))
      last += 1;
    const [from, to] = [Math.max(0, row - 1), Math.min(this.#count, last + 2)];
    if (from >= this.#from && to <= this.#to) return false;
    this.#most = Math.max(MOST, to - from + 2 * BEYOND);
    this.#set(from - (this.#most - (to - from)) / 2);
    return true;
  }

  /** Notes how tall a row is. Answers whether all others are taken to be as tall from now on: the first one that was measured. */
  measure(row: number, height: number): boolean {
    this.#heights[row] = height;
    if (this.#isMeasured) return false;
    this.#isMeasured = true;
    this.#usual = height;
    return true;
  }

  /** What is made, in order, and the room between; `active` is the row that the keyboard is at. */
  stretches(active: number): readonly Stretch[] {
    if (!this.isLong) return [{from: 0, to: this.#count}];
    const made = [{from: this.#from, to: this.#to}];
    if (active < this.#from) made.unshift({from: active, to: active + 1});
    else if (active >= this.#to) made.push({from: active, to: active + 1});
    const all: Stretch[] = [];
    let end = 0;
    for (const {from, to} of made) {
      if (from > end) all.push({room: this.#between(end, from)});
      all.push({from, to});
      end = to;
    }
    if (this.#count > end) all.push({room: this.#between(end, this.#count)});
    return all;
  }

  #set(from: number): void {
    this.#from = Math.max(0, Math.min(Math.floor(from), this.#count - this.#most));
    this.#to = Math.min(this.#count, this.#from + this.#most);
  }

  #height(row: number): number {
    return this.#heights[row] ?? this.#usual;
  }

  #between(from: number, to: number): number {
    let sum = 0;
    for (let row = from; row < to; row++) sum += this.#height(row);
    return sum;
  }
}
