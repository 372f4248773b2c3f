import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { unreadIdsOf, type WholeView } from '@heddle/client/model/messages/whole-view.ts';
import { useCallback, useRef, useState } from 'react';
import { type App, useApp } from '../base/app.tsx';
import { loadedCode } from '../base/load-code.ts';

interface ReadEnd {
  /** The end means that everything is read. Call it with the id of the newest message. */
  readonly readEnd: (newestId: number) => void;
  /** The ids of what the user has skipped and what counts as read now, in ascending order. */
  readonly skipped: readonly number[];
  /** The user went back from the end, so what they have skipped is not above them. Their next time at the end settles it. */
  readonly isBack: boolean;
  readonly noteBack: () => void;
  readonly forgetSkipped: () => void;
}

/** Marks everything in the view as read when the user reaches its end, also what they have skipped. For one visit. */
export function useReadEnd(view: WholeView | undefined, window: MessageWindow): ReadEnd {
  const app = useApp();
  const [skipped, setSkipped] = useState<readonly number[]>([]);
  const [isBack, setBack] = useState(false);
  const latestIsBack = useRef(false);
  latestIsBack.current = isBack;
  const areUnknownRead = useRef(false);
  const forgetSkipped = useCallback(() => {
    latestIsBack.current = false;
    setSkipped([]);
    setBack(false);
  }, []);
  const noteBack = useCallback(() => setBack(true), []);
  const readEnd = useCallback(
    (newestId: number) => {
      if (view === undefined) return;
      if (latestIsBack.current) forgetSkipped();
      const add = (ids: readonly number[]) => {
        if (ids.length > 0) setSkipped((before) => [...new Set([...before, ...ids])].sort((a, b) => a - b));
      };
      add(readThrough(app, view, window, newestId));
      const { unread, cache } = app.model;
      // What the user has marked as unread could be among the messages that only the server knows.
      if (areUnknownRead.current || !unread.oldOnesMissing || cache.keptUnread.size > 0) return;
      areUnknownRead.current = true;
      const read = async () => {
        const { readUnknown } = await loadedCode(() => import('./read-unknown.ts'));
        // If that fails, the next time at the end tries again.
        areUnknownRead.current = await readUnknown(app, window.narrow, newestId, add);
      };
      void read();
    },
    [app, view, window, forgetSkipped],
  );
  return { readEnd, skipped, isBack, noteBack, forgetSkipped };
}

/** Marks everything in the view through a message. Returns the ids in ascending order. */
function readThrough({ model }: App, view: WholeView, window: MessageWindow, newestId: number): readonly number[] {
  const { marks, messages, keptUnread } = model.cache;
  const loaded = window.ids.filter((id) => messages.get(id)?.isRead === false);
  const known = unreadIdsOf(view, model.unread, (channelId, topic) => model.isTopicMuted(channelId, topic));
  const unread = [...new Set([...loaded, ...known])].sort((a, b) => a - b);
  const ids = unread.filter((id) => id <= newestId && !keptUnread.has(id));
  marks.mark(ids.map((id) => ({ id, isRead: false })));
  return ids;
}
