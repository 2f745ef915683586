/** What stands in a view's place while its answer is on the way, and where it failed. */
import type { ComponentChildren } from "preact";
import type { Loaded } from "../lib/use-api.ts";

export function LoadedContent<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { value, error } = loaded;
  if (error && value !== undefined) {
    return (
      <>
        <Problem text={error.message} />
        {children(value)}
      </>
    );
  }
  if (error) return <Problem text={error.message} />;
  if (value === undefined)
    return (
      <p class="note" role="status">
        Reading …
      </p>
    );
  return <>{children(value)}</>;
}

export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
