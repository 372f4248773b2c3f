import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { lazyPart } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';
import { EarlyMessages } from './early-messages.ts';
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
  const [early] = useState(() => new EarlyMessages<MessageRecord>());
  const { isSpectator } = model.account;
  useEffect(() => {
    if (isSpectator) return;
    return onMessage((message) => {
      early.add(message);
      setNeeded(true);
    });
  }, [onMessage, isSpectator, early]);
  return isNeeded && <NotifierPart take={() => early.take()} />;
}

/** Says that a message was missed. */
function Missed(): ReactNode {
  useChanges(notificationPermission.changes);
  return notificationPermission.missedFrom !== undefined && <PermissionBar />;
}
