import { type ReactNode, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { start } from '../../base/early.ts';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { InviteIcon } from '../../design/icons.ts';
import { Segmented } from '../../design/segmented.tsx';
import { Page } from '../page.tsx';
import { refusalText } from '../reasons.ts';
import styles from '../settings.module.css';
import { InviteForm } from './invite-form.tsx';
import { PendingInvitations } from './pending-invitations.tsx';

/** Invites people by mail or by link, and shows which invitations are pending. Without mails, links come first. */
export function InviteView(): ReactNode {
  const model = useModel();
  useChanges(model.permissions.changes);
  const byMail = model.permissions.invite('mail');
  const byLink = model.permissions.invite('link');
  const [chosen, setChosen] = useState<'mail' | 'link'>(start.sendsMails ? 'mail' : 'link');
  const [round, setRound] = useState(0);
  const way = !byMail.allowed && byLink.allowed ? 'link' : chosen === 'link' && !byLink.allowed ? 'mail' : chosen;
  if (!byMail.allowed && !byLink.allowed) {
    return (
      <EmptyState icon={InviteIcon} title={t('You cannot invite people')}>
        {refusalText(model, byMail)}
      </EmptyState>
    );
  }
  return (
    <Page title={t('Invite people')} icon={InviteIcon}>
      {byMail.allowed && byLink.allowed && (
        <div className={styles.bar}>
          <Segmented
            label={t('How to invite')}
            options={[
              { key: 'mail', label: t('By mail') },
              { key: 'link', label: t('By link') },
            ]}
            value={way}
            onChange={setChosen}
          />
        </div>
      )}
      <InviteForm key={way} way={way} onInvited={() => setRound(round + 1)} />
      <PendingInvitations round={round} />
    </Page>
  );
}
