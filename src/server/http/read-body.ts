/** Reads the body of a request, up to a limit of bytes, also after decompression. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { errorMessage } from "../../core/index.ts";
import { HttpRefusal } from "./refusal.ts";

const gunzipInBackground = promisify(gunzip);

export interface BodyOptions {
  readonly limitBytes: number;
  /** Whether bodies may be compressed by gzip. */
  readonly acceptsGzip: boolean;
}

/** Reads a body. Throws a 413 when it is too large, a 415 for an unknown encoding, and a 400 when it is cut short. */
export async function readBody(request: IncomingMessage, options: BodyOptions): Promise<Buffer> {
  const { limitBytes, acceptsGzip } = options;
  const encoding = request.headers["content-encoding"] ?? "identity";
  const isCompressed = encoding === "gzip" && acceptsGzip;
  if (encoding !== "identity" && !isCompressed) {
    throw new HttpRefusal(
      415,
      "unsupported_encoding",
      `content-encoding ${JSON.stringify(encoding)} is not supported; send ${acceptsGzip ? "gzip or no encoding" : "the body without encoding"}`,
    );
  }
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw bodyTooLarge(limitBytes);
  const body = await collectParts(request, limitBytes);
  return isCompressed ? decompress(body, limitBytes) : body;
}

function collectParts(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let sizeBytes = 0;
    const addPart = (part: Buffer) => {
      sizeBytes += part.length;
      if (sizeBytes <= limitBytes) return void parts.push(part);
      request.off("data", addPart);
      request.pause();
      reject(bodyTooLarge(limitBytes));
    };
    const rejectCutShort = () =>
      reject(new HttpRefusal(400, "incomplete_body", "the body ended before its last byte"));
    // A client that left before the server asked for the body sends no further event.
    if (request.destroyed) return rejectCutShort();
    request.on("data", addPart);
    request.once("end", () => resolve(Buffer.concat(parts)));
    request.once("error", rejectCutShort);
    request.once("close", rejectCutShort);
  });
}

async function decompress(body: Buffer, limitBytes: number): Promise<Buffer> {
  try {
    return await gunzipInBackground(body, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw bodyTooLarge(limitBytes);
    }
    throw new HttpRefusal(
      400,
      "invalid_gzip",
      `the body is not valid gzip: ${errorMessage(error)}`,
    );
  }
}

function bodyTooLarge(limitBytes: number): HttpRefusal {
  return new HttpRefusal(413, "too_large", `the body is larger than ${limitBytes} bytes`);
}
