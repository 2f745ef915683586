/** The HTTP front that all servers share. */
export { isSameKey, readBearerKey } from "./authorization.ts";
export {
  type Front,
  type FrontCall,
  type FrontOptions,
  openFront,
  type RequestLimits,
} from "./front.ts";
export { isJsonType, MAX_JSON_DEPTH, readJsonText, readMediaType } from "./json-body.ts";
export { HttpRefusal, type RefusalStatus } from "./refusal.ts";
export { type ReplyText, sendReply } from "./reply.ts";
export type { RequestHead } from "./request-head.ts";
export type { FrontSocket, SocketCall, SocketHandlers, SocketOptions } from "./socket-door.ts";
