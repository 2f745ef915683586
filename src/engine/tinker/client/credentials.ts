/**
 * The API key of the service, or the short-lived access token that is fetched with it.
 *
 * When `client/config` says so (`pjwt_auth_enabled`), the key is sent to `/auth/token` only, which returns a token. The
 * token is sent instead of the key until five minutes before it expires. Both are secrets.
 */
import { authTokenResponseSchema } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { TinkerError } from "./errors.ts";
import type { KeySource } from "./transport.ts";

const REFRESH_BEFORE_MS = 5 * 60_000;
/** The assumed lifetime of a token that does not say when it expires. */
const DEFAULT_TOKEN_LIFE_MS = 30 * 60_000;

export class Credentials implements KeySource {
  readonly #key: string | undefined;
  readonly #clock: Clock;
  readonly #secrets = new Set<string>();
  #exchange: (() => Promise<unknown>) | undefined;
  #token: { readonly text: string; readonly endsMs: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(key: string | undefined, clock: Clock) {
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
      throw new TinkerError(
        "invalid",
        "the API key contains characters that an HTTP header cannot carry",
      );
    }
    this.#key = key;
    this.#clock = clock;
    if (key !== undefined) this.#secrets.add(key);
  }

  get secrets(): Iterable<string> {
    return this.#secrets;
  }

  /** Sends access tokens with all later requests. `exchange` posts the key to `/auth/token` and returns the answer. */
  useTokens(exchange: () => Promise<unknown>): void {
    this.#exchange = exchange;
  }

  /** Drops the token after a 401, so that the next request fetches a new one. Returns false when there was no token. */
  forgetToken(): boolean {
    const had = this.#token !== undefined;
    this.#token = undefined;
    return had;
  }

  async currentKey(useRawKey = false): Promise<string | undefined> {
    if (this.#exchange === undefined || useRawKey) return this.#key;
    const token = this.#token;
    if (token !== undefined && this.#clock.now() < token.endsMs - REFRESH_BEFORE_MS) {
      return token.text;
    }
    this.#pending ??= this.#renewToken(this.#exchange).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #renewToken(exchange: () => Promise<unknown>): Promise<string> {
    const parsed = authTokenResponseSchema.safeParse(await exchange());
    if (!parsed.success) throw new TinkerError("malformed", "/auth/token answered without a jwt");
    const text = parsed.data.jwt;
    this.#secrets.add(text);
    this.#token = {
      text,
      endsMs: readJwtExpiryMs(text) ?? this.#clock.now() + DEFAULT_TOKEN_LIFE_MS,
    };
    return text;
  }
}

/** Returns the expiry (`exp`) of a JWT in milliseconds, or undefined. The signature is not checked. */
function readJwtExpiryMs(jwt: string): number | undefined {
  try {
    const payload = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    const exp: unknown = payload?.exp;
    return typeof exp === "number" && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
