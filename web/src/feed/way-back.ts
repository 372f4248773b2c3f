import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useRef, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { useShortcut } from '../base/keyboard-react.tsx';
import type { ScrollPosition, Visit } from '../base/navigation.ts';
import { scrollTo, type useJump } from './feed-scroll.ts';
import type { Row } from './rows.ts';
import { feedShortcuts } from './selection.ts';

/** Where the user was before a jump: in another view, or elsewhere in this list. */
type Left =
  | { readonly kind: 'view'; readonly visit: Visit }
  | { readonly kind: 'place'; readonly position: ScrollPosition };

/** The name under which an entry of the history keeps it. `null`: the user does not need it any more. */
const LEFT = 'place before the jump';

interface WayBackOptions {
  /** The message that the list was opened at. */
  readonly near: number | undefined;
  readonly window: MessageWindow;
  readonly jump: ReturnType<typeof useJump>;
  /** The list goes somewhere else. */
  readonly leave: () => void;
  readonly focusOn: (id: number) => void;
}

export interface WayBack {
  /** Undefined if the user has not jumped. */
  readonly goBack: (() => void) | undefined;
  readonly dismiss: () => void;
  /** Call this before the list jumps to its end. */
  readonly note: () => void;
}

/** After a jump to a date, a message, a hit of a search or the newest message, leads back to where the user was. */
export function useWayBack(
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  rows: readonly Row[],
  { near, window, jump, leave, focusOn }: WayBackOptions,
): WayBack {
  const { navigation } = useApp();
  const latest = useRef(rows);
  latest.current = rows;
  const [left, setLeft] = useState<Left | undefined>(() => {
    const kept = navigation.kept<Left | null>(LEFT);
    if (kept !== undefined) return kept ?? undefined;
    const visit = near === undefined ? undefined : navigation.cameFrom;
    return visit === undefined ? undefined : { kind: 'view', visit };
  });
  const set = useCallback(
    (next: Left | undefined) => {
      navigation.keep(LEFT, next ?? null);
      setLeft(next);
    },
    [navigation],
  );
  const note = useCallback(() => {
    const position = navigation.position();
    const isNear = window.foundNewest && virtualizer.isAtEnd(virtualizer.scrollRect?.height ?? 0);
    if (position !== undefined && !isNear) set({ kind: 'place', position });
  }, [navigation, window, virtualizer, set]);
  const goBack = useCallback(() => {
    if (left === undefined) return;
    set(undefined);
    if (left.kind === 'view') return navigation.goBackTo(left.visit);
    const { position } = left;
    const arrive = () => scrollTo(virtualizer, latest.current, { kind: 'position', position });
    leave();
    if (typeof position.rowId !== 'number') return arrive();
    jump(position.rowId, (id) => {
      focusOn(id);
      arrive();
    });
  }, [left, set, navigation, virtualizer, jump, leave, focusOn]);
  const dismiss = useCallback(() => set(undefined), [set]);
  useShortcut(feedShortcuts.back, goBack, { when: left !== undefined });
  return { goBack: left === undefined ? undefined : goBack, dismiss, note };
}
