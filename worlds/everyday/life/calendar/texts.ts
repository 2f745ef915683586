/** The words of the calendar: titles of events that belong to no happening, places, categories and lengths. */
import type { Hours } from "../diary.ts";
import type { HappeningKind } from "../happening-kinds.ts";

const ACTIVITIES = [
  "Board games",
  "Bike ride",
  "Film night",
  "Tea and cake",
  "Museum tour",
  "Market visit",
  "Choir practice",
  "Long walk",
  "Card evening",
  "Soup lunch",
  "Repair hour",
  "Drawing class",
] as const;
const CIRCUMSTANCES = [
  "after work",
  "by the river",
  "with the new ones",
  "in the old hall",
  "at the library",
  "under the trees",
  "before the holidays",
  "on the terrace",
  "at the station",
  "with music",
] as const;

/** The titles of meetings, which are all different. */
export const MEETINGS: readonly string[] = ACTIVITIES.flatMap((doing) =>
  CIRCUMSTANCES.map((manner) => `${doing} ${manner}`),
);

/** The titles of events that the owner attends alone. */
export const ERRANDS = [
  "Dentist",
  "Haircut",
  "Car check",
  "Eye test",
  "Bank appointment",
  "Meter reading",
  "Blood donation",
  "Library day",
  "Passport office",
  "Chimney sweep",
  "Vaccination",
  "Tax office",
] as const;

export const SERIES = [
  { title: "Piano lesson", every: "week", times: 5 },
  { title: "Swimming", every: "week", times: 4 },
  { title: "House meeting", every: "month", times: 3 },
  { title: "Back exercises", every: "fortnight", times: 4 },
  { title: "Spanish course", every: "week", times: 6 },
  { title: "Budget talk", every: "month", times: 2 },
] as const;

export const ROOMS = [
  "Room 4",
  "Upstairs",
  "Back garden",
  "Main hall",
  "Cafe by the bridge",
  "Platform 2",
  "North entrance",
  "Studio B",
] as const;

export const CATEGORIES = [
  { name: "company", colour: "orange" },
  { name: "travel", colour: "blue" },
  { name: "culture", colour: "purple" },
  { name: "sports", colour: "green" },
  { name: "learning", colour: "yellow" },
  { name: "errands", colour: "red" },
  { name: "someday", colour: "blue" },
] as const;

type CategoryName = (typeof CATEGORIES)[number]["name"];
export const CATEGORY_OF: { readonly [K in HappeningKind]: CategoryName } = {
  dinner: "company",
  trip: "travel",
  concert: "culture",
  birthday: "company",
  match: "sports",
  workshop: "learning",
  picnic: "company",
};

/** The usual lengths of happenings, in minutes. */
export const LENGTHS_OF: { readonly [K in HappeningKind]: readonly number[] } = {
  dinner: [120, 150, 180],
  trip: [480, 600],
  concert: [110, 135, 160],
  birthday: [150, 240],
  match: [105, 130],
  workshop: [180, 300],
  picnic: [90, 210],
};

/** The most minutes that a happening lasts longer than usual. */
export const EXTRA_MINUTES = 25;
/** Returns the most minutes that a happening of a kind lasts. */
export const longestHappening = (kind: HappeningKind): number =>
  Math.max(...LENGTHS_OF[kind]) + EXTRA_MINUTES;

/** The lengths of events that are no happening, in minutes. */
export const OTHER_LENGTHS = [30, 45, 75, 90, 120] as const;
export const LONGEST_OTHER_EVENT = Math.max(...OTHER_LENGTHS);

const hours = (from: number, to: number): Hours => ({ from: 60 * from, to: 60 * to });

/** When happenings begin. A trip takes whole days. */
export const HOURS_OF: { readonly [K in HappeningKind]: Hours } = {
  dinner: hours(17.5, 20),
  trip: hours(9, 12),
  concert: hours(16, 20.5),
  birthday: hours(11, 19),
  match: hours(11, 20),
  workshop: hours(9, 15),
  picnic: hours(11, 16),
};

const ERRAND_HOURS: Hours = { ...hours(8.5, 16.5), workdays: true };
const ERRAND_TITLES: ReadonlySet<string> = new Set(ERRANDS);

/** Returns when an event that is no happening begins. */
export function hoursOfTitle(title: string): Hours {
  if (ERRAND_TITLES.has(title)) return ERRAND_HOURS;
  if (/lunch/.test(title)) return hours(11.5, 13.5);
  if (/evening|night|after work/i.test(title)) return hours(17.5, 20);
  if (/^tea|^museum|^market|library/i.test(title)) return hours(10, 16.5);
  return hours(9, 20);
}
