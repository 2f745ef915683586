/** Draws and computes the days that tasks name. */
import { taskValue } from "bowline/goals";
import { TODAY } from "../population/time.ts";

/** Draws today or a later day. The instruction says the day itself, or says where to look it up. */
export const drawTodayOrLater = taskValue("day", (day) => day >= TODAY);

/** Adds days to a day. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
