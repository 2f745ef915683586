/** Shows the loaded content, a message while it is loading, or the error. */
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
        <ErrorMessage text={error.message} />
        {children(value)}
      </>
    );
  }
  if (error) return <ErrorMessage text={error.message} />;
  if (value === undefined)
    return (
      <p class="note" role="status">
        Loading …
      </p>
    );
  return <>{children(value)}</>;
}

export function ErrorMessage({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
