/** A client for the sessions, models and samplers of any service that speaks the Tinker protocol. */
export { createTinkerClient, TinkerClient, type TinkerClientOptions } from "./client.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { TokenBounds } from "./datums.ts";
export type { Deadline } from "./deadline.ts";
export type { Dialect } from "./dialect.ts";
export { TinkerError, type TinkerErrorKind } from "./errors.ts";
export { type CallJournal, FileJournal, type JournalEntry } from "./journal.ts";
export type { PassRequest, TinkerModel } from "./model.ts";
export type { ClientEvent, RetryPolicy } from "./retry.ts";
export type { SampleCall, TinkerSampler } from "./sampler.ts";
export type { NewModelOptions, SessionCounters, TinkerSession } from "./session.ts";
