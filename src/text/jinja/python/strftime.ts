/** Python's `datetime.strftime` in English and local time, as on a machine without a locale. */
import { UnsupportedError } from "./values.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const twoDigits = (value: number) => String(value).padStart(2, "0");

const DIRECTIVES: Readonly<Record<string, (date: Date) => string>> = {
  "%": () => "%",
  Y: (date) => String(date.getFullYear()),
  y: (date) => twoDigits(date.getFullYear() % 100),
  m: (date) => twoDigits(date.getMonth() + 1),
  d: (date) => twoDigits(date.getDate()),
  B: (date) => MONTHS[date.getMonth()]!,
  b: (date) => MONTHS[date.getMonth()]!.slice(0, 3),
  A: (date) => DAYS[date.getDay()]!,
  a: (date) => DAYS[date.getDay()]!.slice(0, 3),
  j: (date) => String(dayOfYear(date)).padStart(3, "0"),
  H: (date) => twoDigits(date.getHours()),
  I: (date) => twoDigits(date.getHours() % 12 || 12),
  p: (date) => (date.getHours() < 12 ? "AM" : "PM"),
  M: (date) => twoDigits(date.getMinutes()),
  S: (date) => twoDigits(date.getSeconds()),
  C: (date) => twoDigits(Math.floor(date.getFullYear() / 100)),
  e: (date) => String(date.getDate()).padStart(2, " "),
  k: (date) => String(date.getHours()).padStart(2, " "),
  l: (date) => String(date.getHours() % 12 || 12).padStart(2, " "),
  n: () => "\n",
  t: () => "\t",
  u: (date) => String(date.getDay() || 7),
  w: (date) => String(date.getDay()),
  U: (date) => twoDigits(weekOfYear(date, date.getDay())),
  W: (date) => twoDigits(weekOfYear(date, (date.getDay() + 6) % 7)),
};

/** Directives that stand for several others. */
const COMPOSED: Readonly<Record<string, string>> = {
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  R: "%H:%M",
  T: "%H:%M:%S",
  X: "%H:%M:%S",
  c: "%a %b %e %H:%M:%S %Y",
  h: "%b",
  r: "%I:%M:%S %p",
  x: "%m/%d/%y",
};

/**
 * Formats a date. As in Python on Linux, `%-d` has no zero in front. Throws on an unknown directive.
 */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)(.)/gs, (directive, flag: string, letter: string) => {
    const composed = COMPOSED[letter];
    if (composed !== undefined && flag === "") return strftime(date, composed);
    const write = DIRECTIVES[letter];
    if (write === undefined)
      throw new UnsupportedError(`the directive ${directive} of strftime_now`);
    return flag === "" ? write(date) : write(date).replace(/^[0 ]+(?=.)/, "");
  });
}

/** Returns the week, which begins on the day that `weekday` counts from. Days before the first such day are week 0. */
function weekOfYear(date: Date, weekday: number): number {
  return Math.floor((dayOfYear(date) + 6 - weekday) / 7);
}

function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (day - Date.UTC(date.getFullYear(), 0, 0)) / 86_400_000;
}
