/** The words of the calendar: titles of events that belong to no happening, places, categories and lengths. */
import type { HappeningKind } from "../life.ts";

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
