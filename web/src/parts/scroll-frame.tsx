/** A scrollable frame for content that may be wider than the page. It can be focused, so that arrow keys scroll it. */
import type { ComponentChildren } from "preact";

export function ScrollFrame({
  label,
  class: own = "",
  children,
}: {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class={`scroll card ${own}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
