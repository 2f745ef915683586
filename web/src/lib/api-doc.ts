/** What a world's documentation says of an API beyond its parameters, where its text is the JSON that `docs.showApi` answers. */
export interface ApiDoc {
  /** Such as `apis.mail.list({ folder?, page? })`. */
  readonly call?: string;
  readonly returns?: string;
  readonly example?: string;
}

/** Empty for a text that is no such JSON. */
export function parseApiDoc(text: string): ApiDoc {
  const doc = parseObject(text);
  const textField = (name: keyof ApiDoc) => typeof doc[name] === "string" && { [name]: doc[name] };
  return { ...textField("call"), ...textField("returns"), ...textField("example") };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
