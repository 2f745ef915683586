/** The entry point of the engine's thread. ONNX Runtime blocks the thread that calls it, so it is called here. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../../core/index.ts";
import { setProvider } from "../graph/index.ts";
import { EngineHost } from "./engine-host.ts";
import type { EngineSetup, MessageToWorker } from "./protocol.ts";

const port = parentPort;
assert(port, "engine-worker.ts must run in a worker thread");
const setup = workerData as EngineSetup;
setProvider(setup.provider);
const host = new EngineHost(setup, (message) => port.postMessage(message));
port.on("message", (message: MessageToWorker) => host.receive(message));
