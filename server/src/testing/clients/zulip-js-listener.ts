/** A thread in which the npm package zulip-js listens for events without end. It posts each one to its parent. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const zulip = createRequire(import.meta.url)('zulip-js');
const client = await zulip(workerData.config);
await client.callOnEachEvent((event: unknown) => parentPort?.postMessage(event), workerData.eventTypes);
