import type { Connection } from '@heddle/client/calls/connection.ts';
import { isApiError } from '@heddle/client/calls/errors.ts';
import { searchGifs } from '@heddle/client/calls/operations.ts';
import type { Gif } from '@heddle/client/calls/types.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

/** The service allows few requests, so a search waits for a pause. */
const PAUSE_MS = 350;
/** More would be a sign of a bad search. */
const MAX_SHOWN_GIFS = 240;

interface State {
  /** The search to which the rest is the response. Undefined until the first one. */
  readonly query: string | undefined;
  /** What was found. It stays while another search runs. */
  readonly gifs: readonly Gif[] | undefined;
  readonly next: string | null;
  readonly isLoading: boolean;
  readonly error: unknown;
}

const LOADING: State = { query: undefined, gifs: undefined, next: null, isLoading: true, error: undefined };

export interface FoundGifs extends State {
  /** Loads the next page, or tries again. Undefined if there is nothing more. */
  readonly loadMore: (() => void) | undefined;
  /** Whether another search runs. */
  readonly isOld: boolean;
}

/** What the service finds, page by page. The response to another search replaces the pages of the one before. */
export function useGifs(connection: Connection, query: string): FoundGifs {
  const [state, setState] = useState(LOADING);
  const ending = useRef<AbortController>(undefined);
  const load = useCallback(
    async (position: string | undefined): Promise<void> => {
      ending.current?.abort();
      const own = new AbortController();
      ending.current = own;
      const isFirst = position === undefined;
      setState((before) => ({ ...before, next: isFirst ? null : before.next, isLoading: true, error: undefined }));
      try {
        const page = await searchGifs(
          connection,
          { query, ...(position !== undefined && { position }) },
          { signal: own.signal },
        );
        if (own.signal.aborted) return;
        setState(({ gifs = [] }) => ({
          query,
          gifs: isFirst ? page.gifs : withoutRepeats([...gifs, ...page.gifs]),
          next: page.next,
          isLoading: false,
          error: undefined,
        }));
      } catch (error) {
        if (own.signal.aborted) return;
        // A position is of use for one service only. After a change of the service, the search begins again.
        const isOver = isFirst || isApiError(error, 'BAD_REQUEST');
        setState(({ gifs, next }) => ({
          query,
          gifs: isFirst ? undefined : gifs,
          next: isOver ? null : next,
          isLoading: false,
          error,
        }));
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
    isOld: isLoading && next === null && gifs !== undefined,
    loadMore: isPossible ? () => void load(gifs === undefined ? undefined : (next ?? undefined)) : undefined,
  };
}

/** A service can find the same GIF again on the next page. */
function withoutRepeats(gifs: readonly Gif[]): readonly Gif[] {
  return [...new Map(gifs.map((gif) => [gif.gif, gif])).values()];
}

/** The text after a pause, and a function that ends the pause. */
export function usePaused(text: string): readonly [string, () => void] {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [paused, () => setPaused(text)];
}
