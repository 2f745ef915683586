/**
 * An answer that may be long in coming. Node's `fetch` gives up on a server that sends no headers for 300 s, and an error
 * would be repeated or end the agent; so after a grace the reply begins and says nothing, again and again: spaces before
 * JSON, comments or pings in a stream. Until then a failure has its own status.
 */
import type { ServerResponse } from "node:http";

export interface HoldOptions {
  /** Until the reply begins without an answer. */
  readonly graceMs: number;
  /** Between two signs of life. */
  readonly keepAliveMs: number;
}

/** Clients that heed it do not repeat what would fail again. */
export const NO_RETRY = { "x-should-retry": "false" };

export class HeldReply {
  readonly #response: ServerResponse;
  readonly #type: string;
  readonly #keepAliveText: string;
  readonly #headers: Readonly<Record<string, string>>;
  #timer: NodeJS.Timeout;

  /** A stream's filler may stand wherever an event may; that of JSON is a space. */
  constructor(
    response: ServerResponse,
    form: { readonly isStream: boolean; readonly keepAliveText: string },
    headers: Readonly<Record<string, string>>,
    { graceMs, keepAliveMs }: HoldOptions,
  ) {
    this.#response = response;
    this.#type = form.isStream ? "text/event-stream; charset=utf-8" : "application/json";
    this.#keepAliveText = form.isStream ? form.keepAliveText : " ";
    this.#headers = headers;
    this.#timer = setTimeout(() => {
      this.write(this.#keepAliveText);
      this.#timer = setInterval(() => this.write(this.#keepAliveText), keepAliveMs);
      this.#timer.unref();
    }, graceMs);
    this.#timer.unref();
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  write(text: string): void {
    if (this.#response.destroyed) return;
    if (!this.hasBegun) this.#begin(200);
    this.#response.write(text);
  }

  end(text: string, status = 200): void {
    this.stopKeepAlive();
    if (this.#response.destroyed) return;
    if (!this.hasBegun) {
      // A burst that is there at once has a length like any answer.
      this.#begin(status, { "content-length": String(Buffer.byteLength(text)) });
    }
    this.#response.end(text);
  }

  /** Cuts the connection: of an answer that has begun and cannot be had, which a client may then ask for again. */
  cutConnection(): void {
    this.stopKeepAlive();
    this.#response.destroy();
  }

  stopKeepAlive(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#timer);
  }

  #begin(status: number, more: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, {
      "content-type": status === 200 ? this.#type : "application/json",
      "cache-control": "no-cache",
      ...(status >= 400 && NO_RETRY),
      ...this.#headers,
      ...more,
    });
  }
}
