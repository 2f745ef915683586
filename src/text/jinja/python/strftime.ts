/** Python's `datetime.strftime` in English and local time, as on a machine without a locale. */

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
};

/** Formats a date. Throws on an unknown directive. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(.)/gs, (directive, letter: string) => {
    const write = DIRECTIVES[letter];
    if (write === undefined) throw new Error(`strftime_now: unknown directive ${directive}`);
    return write(date);
  });
}

function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (day - Date.UTC(date.getFullYear(), 0, 0)) / 86_400_000;
}
