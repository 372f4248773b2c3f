import type { Recorder } from './history/recorder.ts';
import { HOSTS } from './processes/cluster.ts';

const INTERVAL_MS = 50;

/** If this process gets no processor time for so long, it cannot tell how long a request took. */
const MIN_STALL_MS = 400;

/** If it is late by so much, the processes of the cluster are late as well, and the database may respond too late for some requests. */
const MIN_LATENESS_MS = 100;

export const BUSY = 'the machine was too busy';

/** Records when the machine was too busy to judge requests. Returns how to stop. */
export function watchStalls(recorder: Recorder): () => void {
  let last = recorder.now();
  const timer = setInterval(() => {
    const now = recorder.now();
    const lateness = now - last - INTERVAL_MS;
    const silent = lateness > MIN_STALL_MS ? HOSTS : [];
    if (lateness > MIN_LATENESS_MS) recorder.add({ kind: 'fault', name: BUSY, silent, begin: last, end: now });
    last = now;
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
