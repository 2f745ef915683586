/** Which colour scheme the page has now: what draws on a canvas must draw again when it changes. */
import { useEffect, useState } from "preact/hooks";

const QUERY = "(prefers-color-scheme: dark)";

export function useColourScheme(): "light" | "dark" {
  const [dark, set] = useState(() => matchMedia(QUERY).matches);
  useEffect(() => {
    const media = matchMedia(QUERY);
    const changed = () => set(media.matches);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, []);
  return dark ? "dark" : "light";
}

/** The present value of a variable of the theme. */
export function readThemeVariable(element: Element, variable: string): string {
  return getComputedStyle(element).getPropertyValue(variable).trim();
}
