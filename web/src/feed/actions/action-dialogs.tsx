import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { conditionsOf, type Narrow, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { type ActionDialog, dialogStore, type MessageDialogKind, openDialog } from '../../actions/dialog-store.ts';
import { useApp } from '../../base/app.tsx';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { HoldKeys, lazyPart } from '../../base/lazy-part.tsx';
import { lazyComponent } from '../../base/load-code.ts';
import type { Route } from '../../base/routes.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { isByRelevance } from '../../search/search-store.ts';
import { COMBINED_FEED } from '../../shown/current.ts';
import { topicShortcuts } from '../../topic-actions/shortcuts.ts';
import { ReactionPicker } from '../reactions/reaction-picker.tsx';
import { ActionMenu } from './action-menu.tsx';

const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'));
const ColourDialog = lazyPart(() => import('../../topic-actions/colour-dialog.tsx'));
const DeleteTopicDialog = lazyPart(() => import('../../topic-actions/delete-topic-dialog.tsx'));
const HistoryDialog = lazyPart(() => import('../history/history-dialog.tsx'));
const MoveDialog = lazyPart(() => import('../../topic-actions/move-dialog.tsx'));
const PrintDialog = lazyPart(() => import('../print/print-dialog.tsx'));
const ReceiptsDialog = lazyPart(() => import('./receipts-dialog.tsx'));
const ReminderDialog = lazyPart(() => import('./reminder-dialog.tsx'));
const ReportDialog = lazyPart(() => import('./report-dialog.tsx'));
// It is large, because it knows calendars.
const DateDialog = lazyComponent(() => import('../date/date-dialog.tsx'));
const UnsubscribeDialog = lazyPart(() => import('../../topic-actions/unsubscribe-dialog.tsx'));
const SourceDialog = lazyPart(() => import('./source-dialog.tsx'));

/** The menu of messages, the picker of reactions, and the dialogs of messages, topics and channels. One for the app. */
export function ActionDialogs(): ReactNode {
  useChanges(dialogStore.changes);
  const { opened } = dialogStore;
  const { model, navigation } = useApp();
  useShortcut(topicShortcuts.print, () => {
    const { route } = navigation;
    const place = route.view === 'narrow' ? placeOfNarrow(route.narrow, model.ownId) : undefined;
    if (place !== undefined) openDialog({ kind: 'print', place });
    return place !== undefined;
  });
  useShortcut(
    topicShortcuts.date,
    () => {
      const narrow = datedNarrow(navigation.route);
      if (narrow !== undefined) openDialog({ kind: 'date', narrow });
    },
    { when: () => datedNarrow(navigation.route) !== undefined },
  );
  return (
    <>
      <ActionMenu />
      <ReactionPicker />
      {opened !== undefined && <Shown dialog={opened} />}
    </>
  );
}

/** What the view shows in the order of time. */
function datedNarrow(route: Route): Narrow | undefined {
  if (route.view === 'feed') return COMBINED_FEED;
  return route.view === 'narrow' && !isByRelevance(route.narrow) ? conditionsOf(route.narrow) : undefined;
}

const close = () => dialogStore.set(undefined);

function Shown({ dialog }: { readonly dialog: ActionDialog }): ReactNode {
  switch (dialog.kind) {
    case 'move':
      return <MoveDialog place={dialog.place} messageId={dialog.messageId} onClose={close} />;
    case 'delete-topic':
      return <DeleteTopicDialog place={dialog.place} onClose={close} />;
    case 'print':
      return <PrintDialog place={dialog.place} onClose={close} />;
    case 'date':
      return (
        <Suspense fallback={<HoldKeys />}>
          <DateDialog narrow={dialog.narrow} onClose={close} />
        </Suspense>
      );
    case 'colour':
      return <ColourDialog channelId={dialog.channelId} onClose={close} />;
    case 'unsubscribe':
      return <UnsubscribeDialog channelId={dialog.channelId} onClose={close} />;
    default:
      return <MessageDialog {...dialog} />;
  }
}

interface MessageDialogProps {
  readonly kind: MessageDialogKind;
  readonly messageId: number;
  readonly record?: MessageRecord | undefined;
  readonly note?: string | undefined;
}

/** The dialog stays open while the message moves to a list that is not loaded yet. It closes if the message is deleted. */
function MessageDialog({ kind, messageId, record: given, note }: MessageDialogProps): ReactNode {
  const { cache } = useApp().model;
  useChangesOf(cache.messages.changesOf, messageId);
  const current = cache.messages.get(messageId);
  const [record, setRecord] = useState(current ?? given);
  if (current !== undefined && current !== record) setRecord(current);
  const isKnown = current !== undefined;
  useEffect(() => {
    if (isKnown) return;
    let isWaiting = true;
    const closeIfGone = async () => {
      const place = await cache.findPlace(messageId);
      if (isWaiting && place === undefined) close();
    };
    // Without an answer, the dialog stays.
    closeIfGone().catch(() => undefined);
    return () => {
      isWaiting = false;
    };
  }, [isKnown, cache, messageId]);
  if (record === undefined) return null;
  const props = { record, onClose: close };
  switch (kind) {
    case 'delete':
      return <DeleteDialog {...props} />;
    case 'source':
      return <SourceDialog {...props} />;
    case 'history':
      return <HistoryDialog {...props} />;
    case 'receipts':
      return <ReceiptsDialog {...props} />;
    case 'remind':
      return <ReminderDialog {...props} note={note} />;
    case 'report':
      return <ReportDialog {...props} />;
  }
}
