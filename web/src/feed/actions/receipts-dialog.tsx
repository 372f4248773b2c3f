import { getReadReceipts } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { userName } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { UserAvatar } from '../../shown/user-mark.tsx';
import type { MessageDialogProps } from './dialog-props.ts';
import styles from './dialogs.module.css';
import { useFetched } from './use-fetched.ts';

/** The people who have read a message. */
export default function ReceiptsDialog({ record, onClose }: MessageDialogProps): ReactNode {
  const { model, connection } = useApp();
  const { value, problem } = useFetched(() => getReadReceipts(connection, { message_id: record.id }), `${record.id}`);
  const readers = value?.user_ids
    .map((id) => ({ id, name: userName(model, id) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Dialog title={t('Read receipts')} isOpen onOpenChange={onClose} size="small" isDismissable>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {readers === undefined && problem === undefined && <Skeleton kind="row" count={3} />}
      {readers !== undefined && (
        <p className={styles.note}>
          {t(
            '{count, plural, =0 {Nobody has read this message yet.} one {# person has read this message.} other {# people have read this message.}}',
            { count: readers.length },
          )}
        </p>
      )}
      <ul className={styles.people}>
        {readers?.map(({ id, name }) => (
          <li key={id}>
            <RouteLink to={{ view: 'user', userId: id }} className={styles.person} onClick={onClose}>
              <UserAvatar userId={id} size="s" />
              <span>{name}</span>
            </RouteLink>
          </li>
        ))}
      </ul>
      <p className={styles.note}>{t('People can hide that they have read messages.')}</p>
    </Dialog>
  );
}
