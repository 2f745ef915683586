/** What a world's documentation says of an API beyond its parameters, where its text is the JSON that `docs.showApi` answers. */
export interface Doc {
  /** Such as `apis.mail.list({ folder?, page? })`. */
  readonly call?: string;
  readonly returns?: string;
  readonly example?: string;
}

/** Empty for a text that is no such JSON. */
export function docOf(text: string): Doc {
  const doc = parsed(text);
  const has = (name: keyof Doc) => typeof doc[name] === "string" && { [name]: doc[name] };
  return { ...has("call"), ...has("returns"), ...has("example") };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
