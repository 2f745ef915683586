/**
 * A request and its answer without sockets: the interface between listener and routes, which tests can wrap (see
 * `behaviour.ts`).
 */
export interface HttpCall {
  readonly method: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Aborts when the client has closed the connection. */
  readonly signal: AbortSignal;
  /** Ends the connection without an answer. */
  dropConnection(): void;
}

export type HttpReply =
  | { readonly status: number; readonly json: unknown; readonly headers?: Headers }
  | { readonly status: number; readonly proto: Uint8Array; readonly headers?: Headers }
  | { readonly status: number; readonly archive: Uint8Array; readonly headers?: Headers };

type Headers = Readonly<Record<string, string>>;

export type Exchange = (call: HttpCall) => Promise<HttpReply>;

export const PROTOBUF = "application/x-protobuf";
