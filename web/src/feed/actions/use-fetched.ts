import { useEffect, useState } from 'react';
import { problemText } from '../../shown/problem-text.ts';

export interface Fetched<Value> {
  /** Undefined while it is being loaded. */
  readonly value?: Value;
  /** Why it could not be loaded, as a sentence. */
  readonly problem?: string;
}

/** Loads something for a dialog when it opens, and again when `key` changes. */
export function useFetched<Value>(fetch: () => Promise<Value>, key: string): Fetched<Value> {
  const [fetched, setFetched] = useState<Fetched<Value>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when the result can differ.
  useEffect(() => {
    let isCurrent = true;
    fetch().then(
      (value) => isCurrent && setFetched({ value }),
      (error: unknown) => isCurrent && setFetched({ problem: problemText(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return fetched;
}
