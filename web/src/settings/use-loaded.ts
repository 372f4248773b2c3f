import { useResponse } from '../base/use-response.ts';
import { problemText } from '../shown/problem-text.ts';

export interface Loaded<Value> {
  /** Undefined until the first response. */
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/** Loads a list for a page of settings, as `useResponse` does. After a failure the earlier value stays. */
export function useLoaded<Value>(key: string | number, load: () => Promise<Value>): Loaded<Value> {
  const { value, error, reload } = useResponse(key, load);
  return { value, problem: error === undefined ? undefined : problemText(error), reload };
}
