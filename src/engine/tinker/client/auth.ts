/**
 * The key of the service, or the short-lived token that it is exchanged for.
 *
 * Where `client/config` says so (`pjwt_auth_enabled`), the key only buys tokens at `/auth/token`, and a token is sent in
 * the key's place until five minutes before it expires. Both are secrets.
 */
import { authTokenResponseSchema } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { TinkerError } from "./errors.ts";
import type { KeySource } from "./transport.ts";

const REFRESH_BEFORE_MS = 5 * 60_000;
/** Of a token that does not say when it ends. */
const DEFAULT_LIFE_MS = 30 * 60_000;

export class Keys implements KeySource {
  readonly #key: string | undefined;
  readonly #clock: Clock;
  readonly #secrets = new Set<string>();
  #exchange: (() => Promise<unknown>) | undefined;
  #token: { readonly text: string; readonly endsMs: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(key: string | undefined, clock: Clock) {
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
      throw new TinkerError("invalid", "the API key has characters that no HTTP header can carry");
    }
    this.#key = key;
    this.#clock = clock;
    if (key !== undefined) this.#secrets.add(key);
  }

  get secrets(): Iterable<string> {
    return this.#secrets;
  }

  /** From now on tokens are sent; `exchange` posts to `/auth/token` with the key and gives the answer. */
  useTokens(exchange: () => Promise<unknown>): void {
    this.#exchange = exchange;
  }

  /** After a 401: the next exchange asks for a new token. False: there is none to renew. */
  forgetToken(): boolean {
    const had = this.#token !== undefined;
    this.#token = undefined;
    return had;
  }

  async key(buysToken = false): Promise<string | undefined> {
    if (this.#exchange === undefined || buysToken) return this.#key;
    const token = this.#token;
    if (token !== undefined && this.#clock.now() < token.endsMs - REFRESH_BEFORE_MS) {
      return token.text;
    }
    this.#pending ??= this.#renew(this.#exchange).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #renew(exchange: () => Promise<unknown>): Promise<string> {
    const parsed = authTokenResponseSchema.safeParse(await exchange());
    if (!parsed.success) throw new TinkerError("malformed", "/auth/token answered without a jwt");
    const text = parsed.data.jwt;
    this.#secrets.add(text);
    this.#token = { text, endsMs: expiryOf(text) ?? this.#clock.now() + DEFAULT_LIFE_MS };
    return text;
  }
}

/** `exp` of a JWT in milliseconds; its signature is the server's business. */
function expiryOf(jwt: string): number | undefined {
  try {
    const payload = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    const exp: unknown = payload?.exp;
    return typeof exp === "number" && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
