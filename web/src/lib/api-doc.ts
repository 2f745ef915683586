/** The call, return value and example of an API, read from the JSON that a world's `docs.showApi` returns. */
export interface ApiDoc {
  /** The form of a call, such as `apis.mail.list({ folder?, page? })`. */
  readonly call?: string;
  readonly returns?: string;
  readonly example?: string;
}

/** Parses the text of an API's documentation. The result is empty for any other text. */
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
