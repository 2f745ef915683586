/** What is known of a request before its body is read. */

/** The first line and the headers of a request, as far as they could be read. */
export interface RequestHead {
  readonly method: string;
  /** The path with its percent escapes, without the query. It is empty if the request line could not be read. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}
