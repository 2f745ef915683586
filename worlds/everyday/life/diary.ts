/**
 * The diary of the owner while a life is made: which days and hours are taken. Days are counted from the start of the
 * episodes, negative before it, and nothing is booked on day 0, so that past and future can be told apart.
 */
import type { Rng } from "bowline/world";
import { dayFromStart } from "../population/time.ts";

/** The first and the last possible day. */
export type DayRange = readonly [number, number];

/** When something may begin, in minutes of the day, and whether it needs a day from Monday to Friday. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  readonly workdays?: boolean;
}

/** A day and a time of that day, such as 09:30. */
export interface Slot {
  readonly days: number;
  readonly day: string;
  readonly time: string;
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The number of slots that are drawn at random before the nearest free one is taken. */
const DRAWS = 80;
const QUARTER = 15;

export class Diary {
  readonly #taken = new Map<number, Interval[]>();
  readonly #away = new Set<number>();
  readonly #journeys = new Set<number>();

  /** Returns true while the owner is on a trip. */
  isAway(days: number): boolean {
    return this.#away.has(days);
  }

  /** Books whole days for a trip with so many nights, and returns its first day. */
  bookTrip(rng: Rng, range: DayRange, nights: number): number {
    const span = (first: number) => Array.from({ length: nights + 1 }, (_, i) => first + i);
    const isFree = (first: number) => span(first).every((days) => this.#isFreeDay(days));
    const latest = range[1] < 0 ? range[1] - nights : range[1];
    const first = findDay(rng, [range[0], latest], isFree);
    for (const days of span(first)) this.#away.add(days);
    return first;
  }

  /** Books a day for a journey that belongs to no trip, and returns it. There is at most one on each day. */
  bookJourney(rng: Rng, range: DayRange, runs: (day: string) => boolean): string {
    const isFree = (days: number) => !this.isAway(days) && !this.#journeys.has(days);
    const days = findDay(rng, range, (one) => isFree(one) && runs(dayFromStart(one)));
    this.#journeys.add(days);
    return dayFromStart(days);
  }

  /** Books so many minutes on one of the days, and returns when they begin. */
  book(rng: Rng, range: DayRange, hours: Hours, minutes: number): Slot {
    let start = 0;
    const days = findDay(rng, range, (candidate) => {
      if (this.isAway(candidate) || !isPossibleDay(candidate, hours)) return false;
      start = drawStart(rng, hours);
      if (this.#isFree(candidate, start, minutes)) return true;
      const starts = listStarts(hours).filter((one) => this.#isFree(candidate, one, minutes));
      if (starts.length === 0) return false;
      start = rng.pick(starts);
      return true;
    });
    this.#take(days, start, minutes);
    return toSlot(days, start);
  }

  /** Takes these minutes, whatever else is there. */
  #take(days: number, start: number, minutes: number): void {
    const intervals = this.#taken.get(days) ?? [];
    this.#taken.set(days, [...intervals, { start, end: start + minutes }]);
  }

  /**
   * Books the same minutes on several days, each so many days after a first one. The days on which the owner is away do
   * not count. Returns the first slot.
   */
  bookSeries(
    rng: Rng,
    range: DayRange,
    hours: Hours,
    minutes: number,
    distances: (first: number) => readonly number[],
  ): Slot {
    let start = 0;
    const first = findDay(rng, range, (candidate) => {
      if (this.isAway(candidate)) return false;
      start = drawStart(rng, hours);
      return distances(candidate).every((days) => this.#isFree(candidate + days, start, minutes));
    });
    for (const days of distances(first)) this.#take(first + days, start, minutes);
    return toSlot(first, start);
  }

  #isFreeDay(days: number): boolean {
    return days !== 0 && !this.isAway(days) && !this.#taken.has(days);
  }

  #isFree(days: number, start: number, minutes: number): boolean {
    const intervals = this.#taken.get(days) ?? [];
    return intervals.every((other) => other.end <= start || start + minutes <= other.start);
  }
}

/** Draws a slot that may collide with others, for what the owner need not attend. */
export function drawSlot(rng: Rng, range: DayRange, hours: Hours): Slot {
  const days = findDay(rng, range, (candidate) => isPossibleDay(candidate, hours));
  return toSlot(days, drawStart(rng, hours));
}

/**
 * Returns a day of the range that fits: a random one, or after many draws the one that is nearest to the range, away
 * from day 0.
 */
function findDay(rng: Rng, [from, to]: DayRange, fits: (days: number) => boolean): number {
  for (let i = 0; i < DRAWS; i++) {
    const days = rng.integer(from, to);
    if (days !== 0 && fits(days)) return days;
  }
  for (let days = from; days <= to; days++) if (days !== 0 && fits(days)) return days;
  const [edge, step] = to < 0 ? [from, -1] : [to, 1];
  for (let days = edge + step; Math.abs(days) < 4000; days += step) if (fits(days)) return days;
  throw new Error(`no free day between ${dayFromStart(from)} and ${dayFromStart(to)}, nor near`);
}

function isPossibleDay(days: number, { workdays }: Hours): boolean {
  const weekday = new Date(`${dayFromStart(days)}T00:00:00Z`).getUTCDay();
  return !workdays || (weekday >= 1 && weekday <= 5);
}

const drawStart = (rng: Rng, { from, to }: Hours) =>
  from + QUARTER * rng.integer(0, Math.floor((to - from) / QUARTER));

const listStarts = ({ from, to }: Hours) =>
  Array.from({ length: Math.floor((to - from) / QUARTER) + 1 }, (_, i) => from + QUARTER * i);

function toSlot(days: number, start: number): Slot {
  const padToTwoDigits = (number: number) => String(number).padStart(2, "0");
  const time = `${padToTwoDigits(Math.floor(start / 60))}:${padToTwoDigits(start % 60)}`;
  return { days, day: dayFromStart(days), time };
}
