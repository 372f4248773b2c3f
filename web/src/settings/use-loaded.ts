import { useEffect, useState } from 'react';
import { problemText } from './saving.ts';

export interface Loaded<Value> {
  /** Undefined until the first response. */
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/**
 * Loads a list that the model does not keep. A new `key` loads it again, and the earlier value stays until then.
 * @param load is called with each new key only
 */
export function useLoaded<Value>(key: string | number, load: () => Promise<Value>): Loaded<Value> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'problem'>>({
    value: undefined,
    problem: undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is new in each render. The key says when it differs.
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setState({ value, problem: undefined }),
      (error: unknown) => isWanted && setState(({ value }) => ({ value, problem: problemText(error) })),
    );
    return () => {
      isWanted = false;
    };
  }, [key, round]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
