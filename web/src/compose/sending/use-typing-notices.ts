import { useEffect, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import type { ComposeSession } from '../drafts/session.ts';
import { TypingNotices } from './typing-notices.ts';

/** Tells the others that the user is writing. */
export function useTypingNotices(session: ComposeSession): void {
  const { model, connection } = useApp();
  const latest = useRef(model);
  latest.current = model;
  useEffect(() => {
    const notices = new TypingNotices(connection, () => latest.current);
    const ends = [
      session.text.edits.subscribe(() => {
        // Clearing the text and edits by the app are no writing.
        if (session.text.isEmpty) notices.stop();
        else if (document.activeElement === session.text.element) notices.typed(session.place);
      }),
      session.sends.subscribe(() => notices.sent()),
    ];
    return () => {
      for (const end of ends) end();
      notices.stop();
    };
  }, [session, connection]);
}
