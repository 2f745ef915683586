/** The facts about an API from which verbose documentation writes notes. */
export interface CallFacts {
  /** The app whose session the call needs; undefined when it needs none. */
  readonly session: string | undefined;
  /** True if calls may be refused during an outage. */
  readonly outages: boolean;
  /** The name of the parameter that asks for a page; undefined when the API has none. */
  readonly page: string | undefined;
}

export function writeCallNotes({ session, outages, page }: CallFacts): string[] {
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
