/** Entry of the engine's thread: ONNX Runtime blocks whoever calls it, so it is called here. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../../core/index.ts";
import { setProvider } from "../graph/index.ts";
import { EngineHost } from "./host.ts";
import type { EngineSetup, ToWorker } from "./protocol.ts";

const port = parentPort;
assert(port, "engine-worker.ts runs in a worker thread");
const setup = workerData as EngineSetup;
setProvider(setup.provider);
const host = new EngineHost(setup, (message) => port.postMessage(message));
port.on("message", (message: ToWorker) => host.receive(message));
