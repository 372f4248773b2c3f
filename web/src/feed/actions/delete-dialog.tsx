import { deleteMessage } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { MessageHtml } from '../../content/message-html-view.tsx';
import { ConfirmDialog } from '../../design/dialog.tsx';
import { useRequest } from '../../shown/use-request.ts';
import type { MessageDialogProps } from './dialog-props.ts';
import styles from './dialogs.module.css';

/** Asks before a message is deleted for everybody. */
export default function DeleteDialog({ record, onClose }: MessageDialogProps): ReactNode {
  const { connection } = useApp();
  const { isPending, problem, send } = useRequest();
  const confirm = async () => {
    if (!(await send(() => deleteMessage(connection, { message_id: record.id })))) return;
    toasts.show({ text: t('Message deleted') });
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('Delete this message?')}
      isOpen
      onOpenChange={onClose}
      confirmLabel={t('Delete message')}
      onConfirm={() => void confirm()}
      isDanger
      isPending={isPending}
      error={problem}
    >
      <p>{t('It disappears for everybody. This cannot be undone.')}</p>
      <div className={styles.excerpt} inert>
        <MessageHtml html={record.content} messageId={record.id} isMe={record.isMe} />
      </div>
    </ConfirmDialog>
  );
}
