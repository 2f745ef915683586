/** Plans the owner's series of events, such as a lesson every week. */
import type { Rng } from "bowline/world";
import { repeatDay } from "../../apps/calendar/times.ts";
import { dayFromStart, daysFromStart } from "../../population/time.ts";
import type { Diary, Slot } from "../diary.ts";
import { hoursOfTitle, LONGEST_OTHER_EVENT, SERIES } from "./texts.ts";

/** A series: its first event, and how often it repeats after that. */
export type SeriesPlan = Slot & {
  readonly title: string;
  readonly every: (typeof SERIES)[number]["every"];
  /** The number of events after the first one. */
  readonly times: number;
  readonly ended: boolean;
};

/** A series began at least one day ago and at most nine. Then no event of it lies on today, which is day 0. */
const BEGAN = [-9, -1] as const;

/** Plans the series. The last one has ended. */
export function planSeries(rng: Rng, diary: Diary): readonly SeriesPlan[] {
  return SERIES.map(({ title, every, times }, i) => {
    const distances = (first: number) => [
      0,
      ...Array.from({ length: times }, (_, step) => {
        const day = repeatDay(dayFromStart(first), every, step + 1);
        return daysFromStart(day) - first;
      }),
    ];
    const slot = diary.bookSeries(
      rng.child(title),
      BEGAN,
      hoursOfTitle(title),
      LONGEST_OTHER_EVENT,
      distances,
    );
    return { ...slot, title, every, times, ended: i === SERIES.length - 1 };
  });
}
