import type { Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../base/i18n.ts';
import { classes } from '../design/classes.ts';
import { useFocusOfRemoved } from '../design/use-focus-of-removed.ts';
import type { FeedLayout } from './feed-layout.ts';
import { type ListTop, sectionAt } from './list-top.ts';
import { PlaceBar } from './place-bar.tsx';
import type { Row } from './rows.ts';
import styles from './sticky-place.module.css';

interface StickyPlaceProps {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>;
  readonly layout: FeedLayout;
  readonly rows: readonly Row[];
  readonly top: ListTop;
}

interface Shown {
  readonly row: Extract<Row, { kind: 'place' }>;
  /** The bar of the list is visible itself. */
  readonly isHidden: boolean;
}

/**
 * In a feed of several conversations, the bar of the one that the user reads stays at the top. The bar of the next one pushes it away. It is
 * hidden while its own row is visible, unless it has the focus.
 */
export default function StickyPlace({ virtualizer, layout, rows, top }: StickyPlaceProps): ReactNode {
  const bar = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  // The next conversation can have fewer buttons.
  const focusHandlers = useFocusOfRemoved(() => bar.current?.querySelector('a')?.focus({ preventScroll: true }));
  const update = useCallback(() => {
    const list = bar.current?.parentElement;
    if (bar.current === null || list === undefined || list === null) return;
    const section = sectionAt(rows, virtualizer.measurementsCache, list.scrollTop, top.covered);
    top.place = section?.row.place;
    if (section === undefined) return setShown(undefined);
    const { row, isAway, push } = section;
    bar.current.style.setProperty('--push', `${push}px`);
    setShown((before) => (before?.row === row && before.isHidden === !isAway ? before : { row, isHidden: !isAway }));
  }, [virtualizer, rows, top]);
  useLayoutEffect(update);
  useEffect(() => {
    const list = bar.current?.parentElement;
    if (list === undefined || list === null) return;
    let frame = 0;
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(now);
    };
    const now = () => {
      frame = 0;
      update();
    };
    list.addEventListener('scroll', update, { passive: true });
    const unsubscribe = layout.changes.subscribe(later);
    return () => {
      list.removeEventListener('scroll', update);
      unsubscribe();
      cancelAnimationFrame(frame);
    };
  }, [layout, update]);
  useLayoutEffect(() => (bar.current === null ? undefined : tellHeight(bar.current, top)), [top]);
  return (
    <div ref={bar} className={styles.place}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div
        role="group"
        aria-label={t('Conversation at the top')}
        className={classes(styles.bar, (shown === undefined || shown.isHidden) && styles.hidden)}
        data-list-top
        {...focusHandlers}
      >
        {shown !== undefined && <PlaceBar {...shown.row} isSticky />}
      </div>
    </div>
  );
}

/** Sets how much the bar covers, for the list and what lies over it. In a low window it covers nothing. */
function tellHeight(place: HTMLElement, top: ListTop): () => void {
  const { style } = document.documentElement;
  const tell = () => {
    top.covered = place.firstElementChild?.getBoundingClientRect().height ?? 0;
    style.setProperty('--list-top', `${top.covered}px`);
    style.setProperty('--list-top-end', `${place.getBoundingClientRect().top + top.covered}px`);
  };
  const observer = new ResizeObserver(tell);
  for (const element of [place.firstElementChild, place.parentElement]) {
    if (element !== null) observer.observe(element);
  }
  return () => {
    observer.disconnect();
    top.covered = 0;
    top.place = undefined;
    style.removeProperty('--list-top');
    style.removeProperty('--list-top-end');
  };
}
