import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { useEffect, useEffectEvent } from 'react';
import { useApp } from '../base/app.tsx';
import { Notifier } from './notifier.ts';

/**
 * Notifies of messages from now on. It shows nothing.
 * @param take gives those that have arrived before
 */
export default function NotifierPart({ take }: { readonly take: () => readonly MessageRecord[] }): null {
  const app = useApp();
  const begin = useEffectEvent((notifier: Notifier) => notifier.start(take()));
  useEffect(() => {
    const notifier = new Notifier(app);
    begin(notifier);
    return () => notifier.stop();
  }, [app]);
  return null;
}
