import { type ReactNode, useContext } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { FormSection } from '../../design/form.tsx';
import { VisuallyHidden } from '../../design/visually-hidden.tsx';
import { notificationPermission } from '../../notifications/permission.ts';
import { pushDevice } from '../../notifications/push-device.ts';
import { SaveNote } from '../save-note.tsx';
import { useAction, useSaved } from '../saving.ts';
import styles from '../settings.module.css';
import { DevicesSection } from './devices-section.tsx';
import { OwnSwitch, type SharedBoolean, UserSelect, UserSwitch } from './own-setting.tsx';
import { QuietHoursSection } from './quiet-hours-section.tsx';
import { SettingsOf, type SharedSettings, useSettingsTarget } from './settings-target.ts';
import { SoundSetting } from './sound-setting.tsx';

/** For which messages, and how. Undefined if a way does not exist for a kind of messages. */
interface Kind {
  readonly label: string;
  readonly ways: readonly (SharedBoolean | undefined)[];
}

function kinds(): readonly Kind[] {
  return [
    {
      label: t('Messages in channels'),
      ways: [
        'enable_stream_desktop_notifications',
        'enable_stream_audible_notifications',
        'enable_stream_push_notifications',
        'enable_stream_email_notifications',
        'wildcard_mentions_notify',
      ],
    },
    {
      label: t('Topics that you follow'),
      ways: [
        'enable_followed_topic_desktop_notifications',
        'enable_followed_topic_audible_notifications',
        'enable_followed_topic_push_notifications',
        'enable_followed_topic_email_notifications',
        'enable_followed_topic_wildcard_mentions_notify',
      ],
    },
    {
      label: t('Direct messages and mentions'),
      ways: [
        'enable_desktop_notifications',
        'enable_sounds',
        'enable_offline_push_notifications',
        'enable_offline_email_notifications',
        undefined,
      ],
    },
  ];
}

/** When and how the user is notified. */
export function NotificationsPage(): ReactNode {
  const isAccount = useContext(SettingsOf) === 'account';
  return (
    <>
      {isAccount && <BrowserPermission />}
      <FormSection title={t('Notify me')}>
        <KindsTable />
      </FormSection>
      {isAccount && <QuietHoursSection />}
      <FormSection title={t('On this device')}>
        <UserSwitch
          name="pm_content_in_desktop_notifications"
          label={t('Show the text of direct messages in notifications')}
        />
        <SoundSetting />
        <UserSelect
          name="desktop_icon_count_display"
          label={t('Number on the icon')}
          choices={[
            [1, t('All unread messages')],
            [2, t('Direct messages, mentions and followed topics')],
            [3, t('Direct messages and mentions')],
            [4, t('None')],
          ]}
        />
      </FormSection>
      <FormSection title={t('On the phone')}>
        <UserSwitch
          name="enable_online_push_notifications"
          label={t('Notify the phone also while I use the app on a computer')}
        />
      </FormSection>
      {isAccount && <DevicesSection />}
      <FormSection title={t('Mail')} description={t('You get mails about what you have not read.')}>
        <MailSettings />
        {isAccount && <OwnSwitch name="enable_login_emails" label={t('Mail me when somebody logs in to my account')} />}
      </FormSection>
      <FormSection title={t('Topics')}>
        <TopicPolicies />
      </FormSection>
    </>
  );
}

function MailSettings(): ReactNode {
  return (
    <>
      <UserSelect
        name="email_notifications_batching_period_seconds"
        label={t('Wait for more messages before a mail')}
        choices={[
          [30, t('30 seconds')],
          [120, t('2 minutes')],
          [300, t('5 minutes')],
          [600, t('10 minutes')],
          [1800, t('30 minutes')],
          [3600, t('1 hour')],
          [21_600, t('6 hours')],
          [86_400, t('1 day')],
          [604_800, t('1 week')],
        ]}
      />
      <UserSwitch name="message_content_in_email_notifications" label={t('Show the text of messages in mails')} />
      <UserSelect
        name="realm_name_in_email_notifications_policy"
        label={t('Name of the organization in the subject')}
        choices={[
          [1, t('If I have accounts in several organizations')],
          [2, t('Always')],
          [3, t('Never')],
        ]}
      />
      <UserSwitch name="enable_digest_emails" label={t('Mail me once a week what I have missed')} />
    </>
  );
}

function TopicPolicies(): ReactNode {
  const choices = [
    [1, t('In which I participate')],
    [2, t('To which I write')],
    [3, t('That I start')],
    [4, t('Never')],
  ] as const;
  return (
    <>
      <UserSelect
        name="automatically_follow_topics_policy"
        label={t('Follow topics automatically')}
        choices={choices}
      />
      <UserSelect
        name="automatically_unmute_topics_in_muted_streams_policy"
        label={t('Unmute topics in muted channels automatically')}
        choices={choices}
      />
      <UserSwitch
        name="automatically_follow_topics_where_mentioned"
        label={t('Follow topics in which somebody mentions me')}
      />
    </>
  );
}

function KindsTable(): ReactNode {
  const ways = [t('Desktop'), t('Sound'), t('Phone'), t('Mail'), t('Mentions of everyone')];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.tableScroller} aria-label={t('Kinds of notifications')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{t('Kind of messages')}</VisuallyHidden>
            </th>
            {ways.map((way) => (
              <th key={way} scope="col" className={styles.head}>
                {way}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds().map((kind) => (
            <tr key={kind.label}>
              <th scope="row">{kind.label}</th>
              {kind.ways.map((name, index) => (
                <td key={ways[index]}>{name && <Cell name={name} label={`${kind.label}: ${ways[index]}`} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ name, label }: { readonly name: SharedBoolean; readonly label: string }): ReactNode {
  const { settings, save, refusal } = useSettingsTarget();
  const saved = useSaved(settings[name], (value) => save({ [name]: value } as Partial<SharedSettings>));
  if (refusal !== undefined) return saved.value ? t('On') : t('Off');
  return (
    <>
      <Checkbox isSelected={saved.value} onChange={saved.change} aria-label={label}>
        {null}
      </Checkbox>
      <SaveNote action={saved.action} />
    </>
  );
}

/** The browser asks once whether the app may show notifications. It is not asked where it could not show any. */
function BrowserPermission(): ReactNode {
  const app = useApp();
  useChanges(notificationPermission.changes);
  const action = useAction();
  const { canAsk } = notificationPermission;
  // Without encryption, no setting of the browser helps.
  const isDenied = window.isSecureContext && 'Notification' in globalThis && Notification.permission === 'denied';
  if (!canAsk && !isDenied) return null;
  return (
    <FormSection
      title={t('The browser does not show notifications')}
      description={
        isDenied
          ? t('Allow notifications for this page in the settings of your browser.')
          : t('Your browser asks for your permission first.')
      }
    >
      {canAsk && (
        <div>
          <Button isPending={action.isPending} onPress={() => void action.run(() => pushDevice.turnOn(app))}>
            {t('Allow notifications')}
          </Button>
        </div>
      )}
    </FormSection>
  );
}
