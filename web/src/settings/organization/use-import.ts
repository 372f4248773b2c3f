import { getImport } from '@heddle/client/calls/operations.ts';
import { useEffect, useEffectEvent } from 'react';
import { useApp } from '../../base/app.tsx';
import { useResponse } from '../../base/use-response.ts';
import { problemText } from '../../shown/problem-text.ts';

/** The pause between a response and the next request. */
const POLL_INTERVAL_MS = 1_000;

/** The state of the import. It is loaded again and again while the server works, because an import ends the event queue of the organization. */
export function useImport() {
  const { connection } = useApp();
  const response = useResponse('import', () => getImport(connection));
  const { value, error } = response;
  const state = value?.import?.state;
  const isWorking = state === 'running' || state === 'stopping';
  const reload = useEffectEvent(response.reload);
  useEffect(() => {
    const isAnswered = value !== undefined || error !== undefined;
    if (!isAnswered || !isWorking) return undefined;
    const timer = setTimeout(() => reload(), POLL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [value, error, isWorking]);
  return { value, problem: error === undefined ? undefined : problemText(error), reload: response.reload };
}
