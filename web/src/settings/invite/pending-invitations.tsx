import { getInvites, resendInvite, revokeInvite, revokeInviteLink } from '@heddle/client/calls/operations.ts';
import type { Invitation } from '@heddle/client/calls/types.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { start } from '../../base/early.ts';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { CopyIcon } from '../../design/icons.ts';
import { Spinner } from '../../design/spinner.tsx';
import { userName } from '../../shown/names.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { SaveNote } from '../save-note.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useLoaded } from '../use-loaded.ts';
import { copyLink } from './invite-form.tsx';
import { ROLE_NAMES } from './roles.ts';

/** Invitations that nobody has used. A new `round` loads them again. */
export function PendingInvitations({ round }: { readonly round: number }): ReactNode {
  const { connection } = useApp();
  const { value, problem, reload } = useLoaded(round, async () => (await getInvites(connection)).invites);
  return (
    <FormSection title={t('Pending invitations')}>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {value === undefined && problem === undefined && <Spinner label={t('Loading invitations')} />}
      {value?.length === 0 && <p className={styles.quiet}>{t('No invitation is pending.')}</p>}
      {value !== undefined && value.length > 0 && (
        <ul className={styles.list} aria-label={t('Pending invitations')}>
          {value.map((invitation) => (
            <Pending
              key={`${invitation.is_multiuse} ${invitation.id}`}
              invitation={invitation}
              onRevoked={() => reload()}
            />
          ))}
        </ul>
      )}
    </FormSection>
  );
}

interface PendingProps {
  readonly invitation: Invitation;
  readonly onRevoked: () => void;
}

function Pending({ invitation, onRevoked }: PendingProps): ReactNode {
  const { model, connection } = useApp();
  const action = useAction();
  const { id, invited_as, invited_by_user_id, expiry_date } = invitation;
  const role = ROLE_NAMES.find(([one]) => one === invited_as)?.[1];
  const facts = [
    role && t(role),
    t('by {name}', { name: userName(model, invited_by_user_id) }),
    expiry_date === null
      ? t('never expires')
      : t('expires {time}', { time: formatDateTime(new Date(expiry_date * 1000)) }),
  ];
  const revoke = async () => {
    if (invitation.is_multiuse) await revokeInviteLink(connection, { invite_id: id });
    else await revokeInvite(connection, { invite_id: id });
    onRevoked();
  };
  return (
    <li className={styles.item}>
      <div className={styles.itemTexts}>
        <div>{invitation.is_multiuse ? t('Link for several people') : invitation.email}</div>
        <div className={styles.quiet}>{facts.filter(Boolean).join(' · ')}</div>
        <SaveNote action={action} doneText={start.sendsMails ? t('Sent again') : t('Kept as a file again')} />
      </div>
      {invitation.is_multiuse ? (
        <Button size="small" icon={CopyIcon} onPress={() => void copyLink(invitation.link_url)}>
          {t('Copy')}
        </Button>
      ) : (
        <Button
          size="small"
          isPending={action.isPending}
          onPress={() => void action.run(() => resendInvite(connection, { invite_id: id }))}
        >
          {t('Send again')}
        </Button>
      )}
      <ConfirmButton size="small" kind="quiet" label={t('Revoke')} title={t('Revoke the invitation?')} run={revoke}>
        {t('Nobody can join with it any more.')}
      </ConfirmButton>
    </li>
  );
}
