import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { lazyPart } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';
import { notificationPermission } from './permission.ts';

/** Notifies of messages, and offers it when the first one was missed. A bar above the app. */
export function Notifications(): ReactNode {
  return (
    <>
      <LateNotifier />
      <Missed />
    </>
  );
}

const NotifierPart = lazyPart(() => import('./notifier-part.tsx'), null);
const PermissionBar = lazyPart(() => import('./permission-bar.tsx'), null);

/** The code is loaded when the browser is idle, or with the first message. */
function LateNotifier(): ReactNode {
  const { model, onMessage } = useApp();
  const [isNeeded, setNeeded] = useState(false);
  // Undefined when the notifier hears the messages itself.
  const early = useRef<MessageRecord[] | undefined>([]);
  const { isSpectator } = model.account;
  useEffect(() => {
    if (isSpectator) return;
    return onMessage((message) => {
      early.current?.push(message);
      setNeeded(true);
    });
  }, [onMessage, isSpectator]);
  const take = () => {
    const taken = early.current ?? [];
    early.current = undefined;
    return taken;
  };
  return isNeeded && <NotifierPart take={take} />;
}

/** Says that a message was missed. */
function Missed(): ReactNode {
  useChanges(notificationPermission.changes);
  return notificationPermission.missedFrom !== undefined && <PermissionBar />;
}
