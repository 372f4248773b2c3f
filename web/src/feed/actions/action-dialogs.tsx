import { lazy, type ReactNode, Suspense } from 'react';
import { useApp } from '../../shell/app.tsx';
import { useChanges, useChangesOf } from '../../shell/use-changes.ts';
import { ReactionPicker } from '../reactions/reaction-picker.tsx';
import { type ActionDialog, dialogStore } from './dialog-store.ts';
import { MessageMenu } from './message-menu.tsx';

const DeleteDialog = lazy(() => import('./delete-dialog.tsx'));
const SourceDialog = lazy(() => import('./source-dialog.tsx'));

/** The menu of messages, the picker of reactions, and the dialogs of messages, topics and channels. One for the app. */
export function ActionDialogs(): ReactNode {
  useChanges(dialogStore.changes);
  const { opened } = dialogStore;
  return (
    <>
      <MessageMenu />
      <ReactionPicker />
      {opened !== undefined && (
        <Suspense fallback={null}>
          <Shown dialog={opened} />
        </Suspense>
      )}
    </>
  );
}

const close = () => dialogStore.set(undefined);

function Shown({ dialog }: { readonly dialog: ActionDialog }): ReactNode {
  if ('messageId' in dialog && dialog.kind !== 'move' && dialog.messageId !== undefined) {
    return <MessageDialog kind={dialog.kind} messageId={dialog.messageId} />;
  }
  return null;
}

interface MessageDialogProps {
  readonly kind: Extract<ActionDialog, { readonly messageId: number }>['kind'];
  readonly messageId: number;
}

/** The dialog closes when its message disappears. */
function MessageDialog({ kind, messageId }: MessageDialogProps): ReactNode {
  const { messages } = useApp().model.cache;
  useChangesOf(messages.changesOf, messageId);
  const record = messages.get(messageId);
  if (record === undefined) return null;
  const props = { record, onClose: close };
  switch (kind) {
    case 'delete':
      return <DeleteDialog {...props} />;
    case 'source':
      return <SourceDialog {...props} />;
    default:
      return null;
  }
}
