import type { Connection } from '@heddle/client/calls/connection.ts';
import { searchGifs } from '@heddle/client/calls/operations.ts';
import type { Gif } from '@heddle/client/calls/types.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

/** The service allows few requests, so a search waits for a pause. */
const PAUSE_MS = 350;
/** More would be a sign of a bad search. */
const MAX_SHOWN_GIFS = 240;

interface State {
  /** What was found. Undefined until the first response. */
  readonly gifs: readonly Gif[] | undefined;
  readonly next: string | null;
  readonly isLoading: boolean;
  readonly error: unknown;
}

const LOADING: State = { gifs: undefined, next: null, isLoading: true, error: undefined };

export interface FoundGifs extends State {
  /** Loads the next page, or tries again. Undefined if there is nothing more. */
  readonly loadMore: (() => void) | undefined;
}

/** What the service finds, page by page. Another search drops the pages of the one before. */
export function useGifs(connection: Connection, query: string): FoundGifs {
  const [state, setState] = useState(LOADING);
  const ending = useRef<AbortController>(undefined);
  const load = useCallback(
    async (position: string | undefined): Promise<void> => {
      ending.current?.abort();
      const own = new AbortController();
      ending.current = own;
      setState((before) => (position === undefined ? LOADING : { ...before, isLoading: true, error: undefined }));
      try {
        const page = await searchGifs(
          connection,
          { query, ...(position !== undefined && { position }) },
          { signal: own.signal },
        );
        if (own.signal.aborted) return;
        setState(({ gifs = [] }) => ({
          gifs: position === undefined ? page.gifs : withoutRepeats([...gifs, ...page.gifs]),
          next: page.next,
          isLoading: false,
          error: undefined,
        }));
      } catch (error) {
        if (!own.signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
      }
    },
    [connection, query],
  );
  useEffect(() => {
    void load(undefined);
    return () => ending.current?.abort();
  }, [load]);
  const { gifs, next, isLoading, error } = state;
  const hasMore = next !== null && (gifs?.length ?? 0) < MAX_SHOWN_GIFS;
  const isPossible = !isLoading && (hasMore || error !== undefined);
  return {
    ...state,
    loadMore: isPossible ? () => void load(gifs === undefined ? undefined : (next ?? undefined)) : undefined,
  };
}

/** A service can find the same GIF again on the next page. */
function withoutRepeats(gifs: readonly Gif[]): readonly Gif[] {
  return [...new Map(gifs.map((gif) => [gif.gif, gif])).values()];
}

/** The text after a pause. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
