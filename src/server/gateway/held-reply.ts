/**
 * Keeps the connection alive while an answer takes long. Node's `fetch` gives up on a server that sends no headers for
 * 300 s, and the client would then repeat the call or stop. So after a grace period the reply begins with text that
 * means nothing and is repeated: spaces before JSON, comments or pings in a stream. Before that, an error still gets
 * its own status.
 */
import type { ServerResponse } from "node:http";

export interface HoldOptions {
  /** The grace period, after which the reply begins without an answer. */
  readonly graceMs: number;
  /** The time between two keep-alive texts. */
  readonly keepAliveMs: number;
}

/** The form of a reply. `streamType` is the media type of a stream; the default is that of server-sent events. */
export interface ReplyForm {
  readonly isStream: boolean;
  readonly keepAliveText: string;
  readonly streamType?: string | undefined;
}

/** Tells clients that understand this header not to repeat a call that would fail again. */
export const NO_RETRY = { "x-should-retry": "false" };

export class HeldReply {
  readonly #response: ServerResponse;
  readonly #type: string;
  readonly #keepAliveText: string;
  readonly #headers: Readonly<Record<string, string>>;
  #timer: NodeJS.Timeout;

  /** A stream's keep-alive text may stand wherever an event may. For JSON it is a space. */
  constructor(
    response: ServerResponse,
    form: ReplyForm,
    headers: Readonly<Record<string, string>>,
    { graceMs, keepAliveMs }: HoldOptions,
  ) {
    this.#response = response;
    const { streamType = "text/event-stream; charset=utf-8" } = form;
    this.#type = form.isStream ? streamType : "application/json";
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
      // The whole reply is known, so its length is sent.
      this.#begin(status, { "content-length": String(Buffer.byteLength(text)) });
    }
    this.#response.end(text);
  }

  /** Cuts the connection of a reply that has begun but cannot be completed, so that the client can retry. */
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
