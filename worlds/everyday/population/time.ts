/** Instants, days and people for background rows. Everything is relative to the world's first instant. */
import type { Rng } from "bowline/world";
import type { Person } from "../apps/index.ts";
import { PARTS } from "./names.ts";
import type { Everyone } from "./people.ts";

/** When every episode starts: a Thursday morning. */
export const NOW = "2026-03-12T09:00:00Z";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** An instant within the twenty days before the start. */
export function earlier(rng: Rng): string {
  const minutes = rng.integer(30, 20 * 24 * 60);
  return `${new Date(Date.parse(NOW) - minutes * MINUTE).toISOString().slice(0, 19)}Z`;
}

/** The day so many days after the start; negative: before. */
export function dayAfter(days: number): string {
  return new Date(Date.parse(NOW) + days * DAY).toISOString().slice(0, 10);
}

/** The day on which every episode starts. */
export const TODAY = dayAfter(0);

/** Someone from any part. */
export function oneOf(rng: Rng, everyone: Everyone): Person {
  return rng.pick(PARTS.flatMap((part) => everyone[part]));
}
