/** The colour scheme of the page. Canvas drawings must be drawn again when it changes. */
import { useEffect, useState } from "preact/hooks";

const QUERY = "(prefers-color-scheme: dark)";

export function useColourScheme(): "light" | "dark" {
  const [dark, set] = useState(() => matchMedia(QUERY).matches);
  useEffect(() => {
    const media = matchMedia(QUERY);
    const updateScheme = () => set(media.matches);
    media.addEventListener("change", updateScheme);
    return () => media.removeEventListener("change", updateScheme);
  }, []);
  return dark ? "dark" : "light";
}

/** Returns the current value of a theme variable. */
export function readThemeVariable(element: Element, variable: string): string {
  return getComputedStyle(element).getPropertyValue(variable).trim();
}
