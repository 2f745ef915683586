/** The day that a chat template writes as today's. Some templates put the date into every prompt. */
import type { ChatTemplate } from "../../spec/index.ts";

/** Returns the template with a day, such as `2026-03-01`, as the date of all its renderings. */
export function withDate(template: ChatTemplate, day: string): ChatTemplate {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const now = new Date(year, month - 1, date);
  return {
    ...template,
    render: (messages, options) => template.render(messages, { now, ...options }),
  };
}

/** Returns the day of a local time, such as `2026-03-01`. */
export function formatDay(time: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const year = String(time.getFullYear()).padStart(4, "0");
  return `${year}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
}
