/** Days that tasks name beside those that stand somewhere. */
import { taskValue } from "bowline/goals";
import { TODAY } from "../population/time.ts";

/** A day that is not over, literal or looked up elsewhere. */
export const dayAhead = taskValue("day", (day) => day >= TODAY);

/** A day so many days later. */
export const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
