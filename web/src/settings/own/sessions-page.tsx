import { endOtherSessions, endSession, getSessions } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { logOut } from '../../people/log-out.ts';
import { isLocalHost } from '../../shown/local-host.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import styles from '../settings.module.css';
import { useLoaded } from '../use-loaded.ts';
import { browserName } from './browser-name.ts';

type OneSession = Awaited<ReturnType<typeof getSessions>>['sessions'][number];

/** The browsers in which the user is logged in. */
export function SessionsPage(): ReactNode {
  const { connection } = useApp();
  const { value, problem, reload } = useLoaded('sessions', async () => (await getSessions(connection)).sessions);
  const endOthers = async () => {
    await endOtherSessions(connection);
    reload();
  };
  const hasOthers = value?.some((one) => !one.is_current) ?? false;
  return (
    <FormSection
      title={t('Sessions')}
      description={t(
        'The browsers in which you are logged in. If you do not know one, end it and change your password.',
      )}
    >
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {value === undefined && problem === undefined && <Spinner label={t('Loading sessions')} />}
      {value !== undefined && (
        <ul className={styles.list} aria-label={t('Sessions')}>
          {value.map((one) => (
            <Row key={one.session_id} session={one} onEnded={reload} />
          ))}
        </ul>
      )}
      {hasOthers && (
        <div>
          <ConfirmButton label={t('End all other sessions')} title={t('End all other sessions?')} run={endOthers}>
            {t('All other browsers are logged out at once. This one stays.')}
          </ConfirmButton>
        </div>
      )}
      <p className={styles.quiet}>
        {t('Programs and phone apps that use your API key are not in this list. A new key ends their access.')}
      </p>
      <div>
        <RouteLink to={{ view: 'settings', section: 'account-and-privacy' }}>{t('Show the API key')}</RouteLink>
      </div>
    </FormSection>
  );
}

function Row({ session, onEnded }: { readonly session: OneSession; readonly onEnded: () => void }): ReactNode {
  const app = useApp();
  const name = browserName(session);
  const end = async () => {
    await endSession(app.connection, { session_id: session.session_id });
    onEnded();
  };
  return (
    <li className={styles.item}>
      <div className={styles.itemTexts}>
        <div>
          {name}
          {session.is_current && <strong> · {t('This browser')}</strong>}
        </div>
        <div className={styles.quiet}>{placeOf(session)}</div>
        <div className={styles.quiet}>
          {session.is_current
            ? t('Logged in since {date}', { date: dateOf(session.created_at) })
            : t('Last used {date}, logged in since {since}', {
                date: dateOf(session.last_used_at),
                since: dateOf(session.created_at),
              })}
        </div>
      </div>
      {session.is_current ? (
        <Button size="small" kind="quiet" onPress={() => void logOut(app)}>
          {t('Log out')}
        </Button>
      ) : (
        <ConfirmButton
          size="small"
          kind="quiet"
          label={t('End session')}
          title={t('End the session of {name}?', { name })}
          run={end}
        >
          {t('The browser is logged out at once. What was typed there and not sent stays there, encrypted.')}
        </ConfirmButton>
      )}
    </li>
  );
}

function placeOf({ network }: OneSession): string {
  if (network === null) return t('Unknown network');
  const [address = ''] = network.split('/');
  return isLocalHost(address) ? t('Private network, {network}', { network }) : t('Network {network}', { network });
}

function dateOf(seconds: number): string {
  return formatDateTime(new Date(seconds * 1000));
}
