import { useResponse } from '../../base/use-response.ts';
import { problemText } from '../../shown/problem-text.ts';

export interface Fetched<Value> {
  /** Undefined while it is being loaded. */
  readonly value?: Value | undefined;
  /** Why it could not be loaded, as a sentence. */
  readonly problem?: string;
}

/** Loads something for a dialog when it opens, and again when `key` changes. */
export function useFetched<Value>(fetch: (signal: AbortSignal) => Promise<Value>, key: string): Fetched<Value> {
  const { value, error } = useResponse(key, fetch);
  return error === undefined ? { value } : { problem: problemText(error) };
}
