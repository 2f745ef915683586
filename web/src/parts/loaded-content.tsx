/** Shows the loaded content, a message while it is loading, or the error. */
import type { ComponentChildren } from "preact";
import type { Loaded } from "../lib/use-api.ts";

export function LoadedContent<T>({
  loaded,
  heading,
  children,
}: {
  readonly loaded: Loaded<T>;
  /** The heading of the page, where the loaded content brings its own: it stands until that is there. */
  readonly heading?: string;
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
  if (value !== undefined) return <>{children(value)}</>;
  return (
    <>
      {heading !== undefined && <h1>{heading}</h1>}
      {error ? (
        <ErrorMessage text={error.message} />
      ) : (
        <p class="note" role="status">
          Loading …
        </p>
      )}
    </>
  );
}

export function ErrorMessage({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
