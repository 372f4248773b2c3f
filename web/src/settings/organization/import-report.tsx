import { cancelImport, type GetImportResponse, sendImportMails } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { start } from '../../base/early.ts';
import { type Message, msg, t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { RouteLink } from '../../shown/route-link.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

type Import = NonNullable<GetImportResponse['import']>;

/** The tables that people know. */
const TABLES: Readonly<Record<string, Message>> = {
  users: msg('people and bots'),
  channels: msg('channels'),
  channel_folders: msg('channel folders'),
  messages: msg('messages'),
  message_flags: msg('read marks and stars'),
  reactions: msg('reactions'),
  attachments: msg('files'),
  attachment_messages: msg('links between files and messages'),
  subscriptions: msg('subscriptions'),
  user_groups: msg('user groups'),
  user_group_members: msg('members of user groups'),
  custom_emoji: msg('custom emoji'),
  custom_emoji_pictures: msg('pictures of custom emoji'),
  avatar_pictures: msg('pictures of people'),
  direct_conversations: msg('direct conversations'),
  direct_participants: msg('people in direct conversations'),
  profile_fields: msg('profile fields'),
  profile_values: msg('values of profile fields'),
  user_topics: msg('followed and muted topics'),
  user_statuses: msg('statuses'),
  message_edits: msg('edits of messages'),
};

export function tableName(table: string): string {
  const name = TABLES[table];
  return name === undefined ? table.replaceAll('_', ' ') : t(name);
}

interface ReportProps {
  readonly import: Import;
  readonly onEnd: () => void;
}

/** What was imported and what was not, and the mails to the people. */
export function ImportReport({ import: found, onEnd }: ReportProps): ReactNode {
  const { connection } = useApp();
  const dismissal = useAction();
  const { report, filename } = found;
  const leftOut = report?.messages_left_out ?? 0;
  const missing = report?.not_imported ?? [];
  return (
    <>
      <FormSection
        title={t('Your team has moved')}
        description={t('This is the report of the import of {name}.', { name: filename })}
      >
        {leftOut > 0 && (
          <Banner kind="warning">
            {t(
              '{count, plural, one {# message of the archive was not imported.} other {# messages of the archive were not imported.}} The lines below say why.',
              { count: leftOut },
            )}
          </Banner>
        )}
        <ul className={styles.reportLines} aria-label={t('Imported')}>
          {Object.entries(report?.imported ?? {}).map(([table, count]) => (
            <li key={table}>
              {formatNumber(count)} {tableName(table)}
            </li>
          ))}
        </ul>
        <RouteLink to={{ view: 'recent' }}>{t('Read the imported messages')}</RouteLink>
      </FormSection>
      <FormSection title={t('Not imported')}>
        {missing.length === 0 && <p>{t('Everything in the archive was imported.')}</p>}
        <ul className={styles.reportLines} aria-label={t('Not imported')}>
          {missing.map(({ what, count, examples }) => (
            <li key={what}>
              {formatNumber(count)} × <span lang="en">{what}</span>
              {examples.length > 0 && <span className={styles.quiet}> ({examples.join(', ')})</span>}
            </li>
          ))}
        </ul>
      </FormSection>
      <Mails import={found} onEnd={onEnd} />
      <FormSection title={t('Close the report')} description={t('The report is then deleted.')}>
        {dismissal.problem !== undefined && <Banner kind="error">{dismissal.problem}</Banner>}
        <div>
          <Button
            isPending={dismissal.isPending}
            onPress={() => void dismissal.run(() => cancelImport(connection, {})).then(onEnd)}
          >
            {t('Delete the report')}
          </Button>
        </div>
      </FormSection>
    </>
  );
}

function Mails({ import: { mails }, onEnd }: ReportProps): ReactNode {
  const { connection } = useApp();
  const action = useAction();
  return (
    <FormSection
      title={t('Invite your people')}
      description={t(
        'An archive has no passwords. Each person gets a mail with a link that sets one. It is valid for a day.',
      )}
    >
      {mails !== null && (
        <Banner kind="success">
          {t('{count, plural, one {# person gets a mail.} other {# people get a mail.}}', { count: mails.queued })}{' '}
          {mails.without_address > 0 &&
            t('{count, plural, one {# person has no valid address.} other {# people have no valid address.}}', {
              count: mails.without_address,
            })}
        </Banner>
      )}
      {mails === null && !start.sendsMails && (
        <Banner kind="warning">
          {t(
            'This server has no mail server yet. Its operator sets HEDDLE_SMTP_URL. Until then, mails are written to files.',
          )}
        </Banner>
      )}
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {mails === null && (
        <div>
          <Button
            kind="primary"
            isPending={action.isPending}
            onPress={() => void action.run(() => sendImportMails(connection, {})).then(onEnd)}
          >
            {t('Send the invitation mails')}
          </Button>
        </div>
      )}
    </FormSection>
  );
}
