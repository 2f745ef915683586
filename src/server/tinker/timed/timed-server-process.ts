/**
 * The process of a timed server. Its argument is the options as JSON. It sends its address to the parent process,
 * answers every further message with its counts, and ends when the parent process ends.
 */
import { startTimedServer, type TimedServerOptions } from "./timed-server.ts";

const server = await startTimedServer(JSON.parse(process.argv[2] ?? "{}") as TimedServerOptions);
process.send!({ url: server.url });
process.on("message", () => process.send!(server.counts()));
process.on("disconnect", () => process.exit(0));
