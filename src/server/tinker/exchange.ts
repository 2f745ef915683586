/**
 * One request and its answer, without sockets: what the listener hands to the routes, and what tests can put themselves
 * in between (see `behaviour.ts`).
 */
export interface HttpCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Aborted when the client is gone. */
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
