import { chooseGif } from '@heddle/client/calls/operations.ts';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { Dialog } from '../../design/dialog.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { PictureGrid } from '../../design/picture-grid.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { linkTo } from '../uploads/file-links.ts';
import styles from './gif-dialog.module.css';
import { gifProblem } from './gif-problem.ts';
import { type FoundGifs, useGifs, usePaused } from './use-gifs.ts';

/** The server refuses longer searches. */
const MAX_QUERY_LENGTH = 100;

/** What the terms of the services require beside results, in their words. */
const SOURCES = { giphy: 'Powered by GIPHY', tenor: 'Powered by Tenor' } as const; // not translated: names
const PLACEHOLDERS = { giphy: 'Search GIPHY', tenor: 'Search Tenor' } as const; // not translated: names

interface GifDialogProps {
  readonly initialQuery: string | undefined;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** @param link the Markdown of the chosen GIF, which is a file of the user now */
  readonly onInsert: (link: string) => void;
}

/** Searches GIFs at the organization's service. The server asks it and loads the pictures. */
export default function GifDialog({ initialQuery = '', onOpenChange, onInsert }: GifDialogProps): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.organization.changes);
  const { gif_picker: picker } = model.organization.settings;
  const [text, setText] = useState(initialQuery.slice(0, MAX_QUERY_LENGTH));
  const wanted = text.trim();
  const [query, endPause] = usePaused(wanted);
  const found = useGifs(connection, query);
  const { field, list, goTo, stay } = useWayToResults(found.query);
  const { choose, pending, error } = useChoice(onInsert);
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key !== 'ArrowDown' && event.key !== 'Enter') || event.nativeEvent.isComposing) return;
    event.preventDefault();
    endPause();
    goTo(wanted);
  };
  const change = (next: string): void => {
    stay();
    setText(next);
  };
  return (
    <Dialog title={t('GIFs')} isOpen onOpenChange={onOpenChange} isDismissable isFlush>
      <div className={styles.picker}>
        <SearchField
          label={t('Search GIFs')}
          {...(picker && { placeholder: PLACEHOLDERS[picker.service] })}
          value={text}
          onChange={change}
          maxLength={MAX_QUERY_LENGTH}
          onKeyDown={onKeyDown}
          inputRef={field}
          autoFocus
        />
        {error !== undefined && <Banner kind="error">{gifProblem(error)}</Banner>}
        <Results found={found} list={list} pending={pending} onChoose={choose} />
        {picker && <p className={styles.source}>{SOURCES[picker.service]}</p>}
      </div>
    </Dialog>
  );
}

/**
 * Moves the focus from the field to the results of a search, as soon as they are there.
 * @param shown the search whose results are shown
 */
function useWayToResults(shown: string | undefined) {
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    if (shown === undefined || awaited.current !== shown) return;
    awaited.current = undefined;
    // The list has its pictures then.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === field.current) list.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  const goTo = (query: string): void => {
    if (query === shown) list.current?.focus();
    else awaited.current = query;
  };
  const stay = (): void => {
    awaited.current = undefined;
  };
  return { field, list, goTo, stay };
}

/** The server makes a file of the chosen GIF. A closed dialog inserts nothing any more. */
function useChoice(onInsert: GifDialogProps['onInsert']) {
  const { connection } = useApp();
  const [state, setState] = useState<{ readonly pending?: string; readonly error?: unknown }>({});
  const ending = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    ending.current = own;
    return () => own.abort();
  }, []);
  const choose = async (gif: string): Promise<void> => {
    const { signal } = ending.current;
    setState({ pending: gif });
    try {
      const { filename, url } = await chooseGif(connection, { gif }, { signal });
      if (!signal.aborted) onInsert(linkTo(filename, url));
    } catch (error) {
      if (!signal.aborted) setState({ error });
    }
  };
  return { choose: (gif: string) => void choose(gif), ...state };
}

interface ResultsProps {
  readonly found: FoundGifs;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly pending: string | undefined;
  readonly onChoose: (gif: string) => void;
}

function Results({ found, list, pending, onChoose }: ResultsProps): ReactNode {
  const { query, gifs, next, isLoading, isOld, error, loadMore } = found;
  const isStill = useStillness();
  const results = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (query !== undefined) results.current?.scrollTo(0, 0);
  }, [query]);
  if (isLoading && (gifs ?? []).length === 0) {
    return (
      <div className={styles.waiting}>
        <Spinner />
      </div>
    );
  }
  const again = error !== undefined && loadMore !== undefined && (
    <Button size="small" onPress={loadMore}>
      {t('Try again')}
    </Button>
  );
  return (
    <div ref={results} className={classes(styles.results, isOld && styles.old)} aria-busy={isLoading}>
      {gifs?.length === 0 && <EmptyState title={t('No GIFs found')}>{t('Try another word.')}</EmptyState>}
      {gifs !== undefined && gifs.length > 0 && (
        <>
          <VisuallyHidden key={query}>
            <span role="status">{t('{count, plural, one {# GIF} other {# GIFs}}', { count: gifs.length })}</span>
          </VisuallyHidden>
          <PictureGrid
            label={t('GIFs')}
            pictures={gifs.map(({ gif, title, preview_url, still_url }) => ({
              key: gif,
              label: title || t('GIF'),
              url: preview_url,
              stillUrl: still_url,
            }))}
            onChoose={onChoose}
            isStill={isStill}
            pending={pending}
            listRef={list}
          />
        </>
      )}
      {error !== undefined && (
        <Banner kind="error" action={again}>
          {gifProblem(error)}
        </Banner>
      )}
      {error === undefined && (loadMore !== undefined || (isLoading && next !== null)) && (
        <div className={styles.more}>
          <Button onPress={() => loadMore?.()} isPending={isLoading}>
            {t('Show more')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Whether pictures move only under the pointer and the focus: the user's setting for messages, or that of the system. */
function useStillness(): boolean {
  const { account } = useApp().model;
  useChanges(account.changes);
  const [isReduced] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  return isReduced || account.settings.web_animate_image_previews !== 'always';
}
