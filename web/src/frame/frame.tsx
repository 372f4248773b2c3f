/** The frame of the app: conversations, feed, details. It has no data of the app; its parts are slots. */
import type { Subscribable } from '@heddle/client/model/changes.ts';
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../base/i18n.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { classes } from '../design/classes.ts';
import styles from './frame.module.css';
import { FrameContext, useFrame } from './frame-context.ts';
import { FrameResizer } from './frame-resizer.tsx';
import { frameShortcuts } from './frame-shortcuts.ts';
import { FrameState, type Side } from './frame-state.ts';

export interface FrameProps {
  /** Conversations: a landmark of navigation. */
  left: ReactNode;
  leftLabel: string;
  main: ReactNode;
  /** The name of what the main part shows, for screen readers. */
  mainLabel: string;
  /** People or details. Without it there is no right column. */
  right?: ReactNode;
  rightLabel?: string;
  /** The bar at the bottom of a phone (`BottomBar`). */
  bottom?: ReactNode;
  /** Notices above everything, such as the state of the connection. */
  top?: ReactNode;
  /** Changes when the app goes to a view. The browser announces only links, back and forward. */
  visits?: Subscribable;
}

/** Lays out the app for the width of its window. */
export function Frame({ visits, ...parts }: FrameProps): ReactNode {
  const [frame] = useState(() => new FrameState(window));
  useEffect(() => {
    const ending = new AbortController();
    frame.listen(ending.signal);
    return () => ending.abort();
  }, [frame]);
  useEffect(() => visits?.subscribe(() => frame.uncover()), [frame, visits]);
  return (
    <FrameContext value={frame}>
      <Columns {...parts} />
    </FrameContext>
  );
}

function Columns({
  left,
  leftLabel,
  main,
  mainLabel,
  right,
  rightLabel,
  bottom,
  top,
}: Omit<FrameProps, 'visits'>): ReactNode {
  const frame = useFrame();
  const { layout } = frame;
  const mainElement = useRef<HTMLElement>(null);
  useShortcut(frameShortcuts.toggleLeft, () => frame.toggle('left'));
  useShortcut(frameShortcuts.toggleRight, () => frame.toggle('right'), { when: right !== undefined });
  const hasRight = right !== undefined;
  const covering = covered(frame, hasRight);
  return (
    // A link to the view behind a column makes no entry of the history, so the column would stay.
    <div
      className={styles.frame}
      data-layout={layout}
      style={{ '--left': `${frame.leftWidth}px` } as CSSProperties}
      onClickCapture={(event) => {
        if (covering === undefined || !isLinkToHere(event)) return;
        event.preventDefault();
        frame.uncover();
      }}
    >
      <SkipLinks mainElement={mainElement} />
      {top && <div className={styles.top}>{top}</div>}
      <div className={styles.columns}>
        <Column side="left" label={leftLabel}>
          {left}
        </Column>
        {/* The landmark stays while a column covers its content. Screen readers then know that nothing is in it. */}
        <main
          ref={mainElement}
          aria-label={mainLabel}
          className={styles.main}
          tabIndex={-1}
          data-covered={covering !== undefined}
        >
          <div className={styles.content} inert={covering !== undefined}>
            {main}
          </div>
        </main>
        {hasRight && (
          <Column side="right" label={rightLabel ?? t('Details')}>
            {right}
          </Column>
        )}
      </div>
      {layout === 'phone' && bottom && <div className={styles.bottom}>{bottom}</div>}
    </div>
  );
}

function isLinkToHere(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return false;
  const pressed = event.target.closest('a, button');
  return pressed instanceof HTMLAnchorElement && pressed.href === window.location.href;
}

/** The column that covers the feed. */
function covered(frame: FrameState, hasRight: boolean): Side | undefined {
  if (!frame.isDocked('left') && frame.isOpen('left')) return 'left';
  return hasRight && !frame.isDocked('right') && frame.isOpen('right') ? 'right' : undefined;
}

interface ColumnProps {
  side: Side;
  label: string;
  children: ReactNode;
}

function Column({ side, label, children }: ColumnProps): ReactNode {
  const frame = useFrame();
  const element = useRef<HTMLElement>(null);
  const isOpen = frame.isOpen(side);
  const isCovering = isOpen && !frame.isDocked(side);
  useFocusInside(element, isCovering);
  useFocusOfDocked(element, side, isOpen, isCovering);
  const Landmark = side === 'left' ? 'nav' : 'aside';
  return (
    <>
      {isCovering && frame.layout !== 'phone' && (
        // The keyboard closes the column with Escape.
        // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the column closes it.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
        <div className={styles.scrim} onClick={() => frame.close(side)} />
      )}
      <Landmark
        ref={element}
        aria-label={label}
        tabIndex={-1}
        hidden={!isOpen}
        className={classes(styles.column, styles[side], isCovering && styles.covering)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isCovering || event.defaultPrevented) return;
          event.preventDefault();
          frame.close(side);
        }}
      >
        {children}
        {side === 'left' && !isCovering && <FrameResizer />}
      </Landmark>
    </>
  );
}

/** Moves the focus into a column that covers the feed, and back when it closes. */
function useFocusInside(element: RefObject<HTMLElement | null>, isCovering: boolean): void {
  useEffect(() => {
    if (!isCovering) return;
    const before = document.activeElement;
    if (!element.current?.contains(before)) element.current?.focus();
    return () => {
      // The feed stops being inert in the same render, so it can have the focus only after it.
      if (before instanceof HTMLElement && before !== document.body) queueMicrotask(() => before.focus());
    };
  }, [element, isCovering]);
}

/** Opening and closing a column replaces the button that did it. The focus goes to what is there instead. */
function useFocusOfDocked(
  element: RefObject<HTMLElement | null>,
  side: Side,
  isOpen: boolean,
  isCovering: boolean,
): void {
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const { activeElement } = document;
    if (isOpen && !isCovering && activeElement === document.body) element.current?.focus();
    if (isOpen || !element.current?.contains(activeElement)) return;
    const opener = document.querySelector<HTMLElement>(`main [data-opens=${side}]`);
    (opener ?? document.querySelector<HTMLElement>('main'))?.focus();
  });
}

function SkipLinks({ mainElement }: { mainElement: RefObject<HTMLElement | null> }): ReactNode {
  const frame = useFrame();
  const toMain = () => mainElement.current?.focus();
  const toLeft = () => {
    frame.open('left');
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.${styles.left}`)?.focus());
  };
  return (
    <div className={styles.skip}>
      <button type="button" onClick={toMain}>
        {t('Skip to messages')}
      </button>
      <button type="button" onClick={toLeft}>
        {t('Skip to conversations')}
      </button>
    </div>
  );
}
