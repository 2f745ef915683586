/**
 * Draws instants, days and people for background rows. Times are relative to the time at which every episode starts.
 */
import type { Rng } from "bowline/world";
import type { Person } from "../apps/index.ts";
import { PARTS } from "./name-pools.ts";
import type { Everyone } from "./people.ts";

/** The instant at which every episode starts, a Thursday morning. */
export const NOW = "2026-03-12T09:00:00Z";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Draws an instant within the twenty days before the start. */
export function drawPastInstant(rng: Rng): string {
  const minutes = rng.integer(30, 20 * 24 * 60);
  return `${new Date(Date.parse(NOW) - minutes * MINUTE_MS).toISOString().slice(0, 19)}Z`;
}

/** Returns the day that is so many days after the start, or before it when `days` is negative. */
export function dayFromStart(days: number): string {
  return new Date(Date.parse(NOW) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of days from the start to a day, negative when the day is earlier. */
export function daysFromStart(day: string): number {
  return Math.round((Date.parse(day) - Date.parse(NOW.slice(0, 10))) / DAY_MS);
}

/** The day on which every episode starts. */
export const TODAY = dayFromStart(0);

/** Draws a person from any part of the population. */
export function drawAnyone(rng: Rng, everyone: Everyone): Person {
  return rng.pick(PARTS.flatMap((part) => everyone[part]));
}
