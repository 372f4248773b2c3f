import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

interface State<Value> {
  /** The last response. Undefined until the first one. */
  readonly value: Value | undefined;
  /** Why the last request failed. Undefined if it did not. */
  readonly error: unknown;
}

export interface Response<Value> extends State<Value> {
  readonly reload: () => void;
}

/**
 * Loads something that the model does not keep. A new `key` loads it again, and the earlier value stays until then.
 * @param load is called with each new key only. Its signal aborts when the response is not needed any more.
 */
export function useResponse<Value>(
  key: string | number,
  load: (signal: AbortSignal) => Promise<Value>,
): Response<Value> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<Value>>({ value: undefined, error: undefined });
  const request = useMemo(() => ({ key, round }), [key, round]);
  const wanted = useRef<typeof request>(undefined);
  const begin = useEffectEvent(load);
  useEffect(() => {
    wanted.current = request;
    const isWanted = () => wanted.current === request;
    const abort = new AbortController();
    begin(abort.signal).then(
      (value) => isWanted() && setState({ value, error: undefined }),
      (error: unknown) => isWanted() && setState(({ value }) => ({ value, error })),
    );
    return () => {
      wanted.current = undefined;
      abort.abort();
    };
  }, [request]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
