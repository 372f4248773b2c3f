import { useCallback } from 'react';
import { useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import type { ComposeSession } from '../drafts/session.ts';
import type { Uploads } from '../uploads/uploads.ts';
import type { Warning } from './warning.ts';
import { warningsOf } from './warnings-of.ts';

export interface WarningsOfBox {
  /** What is shown now. */
  readonly shown: readonly Warning[];
  /** The warnings of the text at this moment that prevent sending. */
  readonly stopping: () => readonly Warning[];
}

/** The warnings about the text, as of the last pause. */
export function useWarnings(session: ComposeSession, uploads: Uploads): WarningsOfBox {
  const app = useApp();
  useChanges(app.model.permissions.changes);
  const current = useCallback(() => {
    const { place, text } = session;
    const hasFailedUpload = uploads.of(text.value).some(({ state }) => state === 'failed');
    return warningsOf(app, { place, text: text.value, hasFailedUpload }).filter(({ key }) => !session.isDismissed(key));
  }, [app, session, uploads]);
  const shown = current().filter(({ isShownLater }) => !isShownLater || session.isAttempted);
  const stopping = useCallback(() => current().filter(({ stopsSending }) => stopsSending), [current]);
  return { shown, stopping };
}
