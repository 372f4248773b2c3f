import { isApiError } from '@heddle/client/calls/errors.ts';
import type { Caller } from '@heddle/client/calls/operation.ts';
import { type SendInvitesParameters, sendInvites } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import styles from '../settings.module.css';

/** Which addresses the server did not invite. */
export interface RefusedInvitations {
  readonly addresses: readonly { readonly address: string; readonly reason: string }[];
  /** Whether the server invited the other addresses. */
  readonly hasSentOthers: boolean;
}

/**
 * Invites people by mail.
 * @returns undefined if the server invited all of them
 */
export async function sendInvitations(
  connection: Caller,
  parameters: SendInvitesParameters,
): Promise<RefusedInvitations | undefined> {
  try {
    await sendInvites(connection, parameters);
    return undefined;
  } catch (error) {
    if (!isApiError(error, 'INVITATION_FAILED')) throw error;
    const { errors, sent_invitations: hasSentOthers, daily_limit_reached: isLimitReached } = error.fields;
    if (errors.length === 0 && !isLimitReached) throw error;
    return { addresses: errors.map(([address, reason]) => ({ address, reason })), hasSentOthers };
  }
}

/** Says which addresses were not invited, and why. */
export function RefusedList({ refused }: { readonly refused: RefusedInvitations }): ReactNode {
  const { addresses, hasSentOthers } = refused;
  if (addresses.length === 0) {
    return (
      <Banner kind="error">
        {t('Nobody was invited, because the organization has reached its limit of invitations for a day.')}
      </Banner>
    );
  }
  return (
    <Banner kind={hasSentOthers ? 'warning' : 'error'}>
      {hasSentOthers
        ? t('All were invited except these:')
        : t('Nobody was invited. Correct or remove these addresses first:')}
      <ul className={styles.reasons}>
        {addresses.map(({ address, reason }) => (
          <li key={address}>{t('{address}: {reason}', { address, reason: reasonText(reason) })}</li>
        ))}
      </ul>
    </Banner>
  );
}

/** The server's reason in the language of the user. */
function reasonText(reason: string): string {
  switch (reason) {
    case 'Invalid address.':
      return t('This is no email address.');
    case 'Already has an account.':
      return t('Someone has an account with this address already.');
    case 'Account has been deactivated.':
      return t('The account with this address is deactivated.');
    case 'Reserved for system bots.':
      return t('This address belongs to a bot of the server.');
    case 'Outside your domain.':
      return t('The organization does not allow addresses of this domain.');
    case 'Email addresses containing + are not allowed.':
      return t('The organization does not allow addresses with a plus sign.');
    case 'Please use your real email address.':
      return t('The organization does not allow disposable addresses.');
    default:
      return reason;
  }
}
