/** What verbose documentation adds to an API: what holds for any call of its kind, said where it is needed. */
export interface CallFacts {
  /** The app whose session the call needs. */
  readonly session: string | undefined;
  /** Whether calls may be refused for a while. */
  readonly outages: boolean;
  /** The parameter that asks for a page. */
  readonly page: string | undefined;
}

export function callNotes({ session, outages, page }: CallFacts): string[] {
  return [
    ...(session
      ? [
          `It needs a session: call ${session}.login first, with the password from me.listAccounts; without one it fails with 401.`,
        ]
      : []),
    ...(page ? [`The list comes in pages: raise \`${page}\` while \`more\` is true.`] : []),
    ...(outages
      ? ["It may fail with 503, temporarily unavailable: the same call works again."]
      : []),
    "A call that fails throws an error with a `status`, such as 404 or 422, and has changed nothing.",
  ];
}
