import { getImport } from '@heddle/client/calls/operations.ts';
import { useEffect, useEffectEvent } from 'react';
import { useApp } from '../../base/app.tsx';
import { useLoaded } from '../use-loaded.ts';

const POLL_INTERVAL_MS = 1_000;

/** The state of the import. It is loaded again and again while the server works, because an import ends the event queue of the organization. */
export function useImport() {
  const { connection } = useApp();
  const loaded = useLoaded('import', () => getImport(connection));
  const { value, problem } = loaded;
  const state = value?.import?.state;
  const isWorking = state === 'running' || state === 'stopping';
  const reload = useEffectEvent(loaded.reload);
  useEffect(() => {
    // After each response, so that a slow server gets no second request.
    if (value === undefined || !isWorking) return undefined;
    const timer = setInterval(() => reload(), POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [value, isWorking]);
  return { ...loaded, value, problem };
}
