/**
 * The application for a serverless platform that calls a function `fetch` (Vercel, Cloudflare, Deno, Bun). A function
 * has no room for a model, so it calls a server of models by its address and key: `model.ts` names the variables.
 */
import { handleRequest } from "./handler.ts";

export default { fetch: handleRequest };
