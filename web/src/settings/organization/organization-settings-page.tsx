import type { UpdateOrganizationParameters } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { ReactNode } from 'react';
import { msg, t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { FormSection } from '../../design/form.tsx';
import { SelectSetting, SwitchSetting, TextSetting } from '../controls.tsx';
import { RetentionSetting } from '../retention-setting.tsx';
import { AllowedDomains } from './allowed-domains.tsx';
import { Calls } from './calls.tsx';
import { DefaultCodeLanguage } from './default-code-language.tsx';
import { Gifs } from './gifs.tsx';
import { LoginMethods } from './login-methods.tsx';
import { NewAccounts } from './new-accounts.tsx';
import { LimitSelect, OrganizationSwitch } from './organization-controls.tsx';
import { useOrganization } from './use-organization.ts';

/** Joining, messages, topics and announcements. */
export function OrganizationSettingsPage(): ReactNode {
  const { settings, update, refusal } = useOrganization();
  return (
    <>
      <FormSection title={t('Joining')}>
        <OrganizationSwitch name="invite_required" label={t('People need an invitation to join')} />
        <OrganizationSwitch
          name="emails_restricted_to_domains"
          label={t('Only addresses of the allowed domains can join')}
        />
        <OrganizationSwitch
          name="disallow_disposable_email_addresses"
          label={t('Do not accept disposable email addresses')}
        />
        <TextSetting
          label={t('Days until a new member is a full member')}
          value={String(settings.waiting_period_threshold)}
          refusal={refusal('waiting_period_threshold')}
          save={(days) => update({ waiting_period_threshold: Number(days) })}
        />
        <OrganizationSwitch name="enable_spectator_access" label={t('Anyone can read web-public channels')} />
      </FormSection>
      <AllowedDomains />
      <LoginMethods />
      <NewAccounts />
      <FormSection title={t('Accounts')}>
        <OrganizationSwitch name="name_changes_disabled" label={t('Members cannot change their names')} />
        <OrganizationSwitch name="email_changes_disabled" label={t('Members cannot change their email addresses')} />
        <OrganizationSwitch name="avatar_changes_disabled" label={t('Members cannot change their pictures')} />
        <OrganizationSwitch name="require_unique_names" label={t('Names must be unique')} />
        <OrganizationSwitch name="enable_read_receipts" label={t('Members can see who read a message')} />
        <SwitchSetting
          label={t('Members can see who is active')}
          value={!settings.presence_disabled}
          refusal={refusal('presence_disabled')}
          save={(isVisible) => update({ presence_disabled: !isVisible })}
        />
      </FormSection>
      <Messages />
      <Calls />
      <Gifs />
      <FormSection title={t('Phones')}>
        <OrganizationSwitch
          name="require_e2ee_push_notifications"
          label={t('Send the text of messages to phones only with end-to-end encryption')}
        />
        <OrganizationSwitch
          name="message_content_allowed_in_web_push"
          label={t('Notifications of a closed app may show the text of messages')}
        />
      </FormSection>
      <Mails />
      <Announcements />
    </>
  );
}

/** The number of a day is its place: Monday is 0. */
const WEEKDAYS = [
  msg('Monday'),
  msg('Tuesday'),
  msg('Wednesday'),
  msg('Thursday'),
  msg('Friday'),
  msg('Saturday'),
  msg('Sunday'),
];

function Mails(): ReactNode {
  const { settings, update, refusal } = useOrganization();
  return (
    <FormSection title={t('Mail')}>
      <OrganizationSwitch
        name="message_content_allowed_in_email_notifications"
        label={t('Mails may show the text of messages')}
      />
      <OrganizationSwitch name="send_welcome_emails" label={t('Welcome new users with a mail')} />
      <OrganizationSwitch name="digest_emails_enabled" label={t('Mail users once a week what they have missed')} />
      <SelectSetting
        label={t('Day of the weekly mail')}
        value={String(settings.digest_weekday)}
        options={WEEKDAYS.map((label, day) => ({ key: String(day), label: t(label) }))}
        refusal={refusal('digest_weekday')}
        save={(day) => update({ digest_weekday: Number(day) as UpdateOrganizationParameters['digest_weekday'] })}
      />
    </FormSection>
  );
}

function Messages(): ReactNode {
  const { settings, update, refusal } = useOrganization();
  return (
    <FormSection title={t('Messages')}>
      <OrganizationSwitch name="allow_message_editing" label={t('Authors can edit their messages')} />
      <LimitSelect name="message_content_edit_limit_seconds" label={t('Time for edits')} />
      <LimitSelect name="message_content_delete_limit_seconds" label={t('Time for deletions by the author')} />
      <LimitSelect name="move_messages_within_stream_limit_seconds" label={t('Time for moves inside of a channel')} />
      <LimitSelect name="move_messages_between_streams_limit_seconds" label={t('Time for moves to other channels')} />
      <SelectSetting
        label={t('Who can see what was edited')}
        value={settings.message_edit_history_visibility_policy}
        options={[
          { key: 'all', label: t('Edits and moves') },
          { key: 'moves', label: t('Moves only') },
          { key: 'none', label: t('Nothing') },
        ]}
        refusal={refusal('message_edit_history_visibility_policy')}
        save={(message_edit_history_visibility_policy) => update({ message_edit_history_visibility_policy })}
      />
      <SelectSetting
        label={t('Topics')}
        value={settings.topics_policy}
        options={[
          { key: 'allow_empty_topic', label: t('Topics are optional') },
          { key: 'disable_empty_topic', label: t('Each message needs a topic') },
        ]}
        refusal={refusal('topics_policy')}
        save={(topics_policy) => update({ topics_policy })}
      />
      <RetentionSetting
        value={settings.message_retention_days === -1 ? 'unlimited' : settings.message_retention_days}
        refusal={refusal('message_retention_days')}
        save={(message_retention_days) => update({ message_retention_days })}
      />
      <OrganizationSwitch name="inline_image_preview" label={t('Show previews of images')} />
      <OrganizationSwitch name="inline_url_embed_preview" label={t('Show previews of websites')} />
      <DefaultCodeLanguage />
    </FormSection>
  );
}

function Announcements(): ReactNode {
  const { model, settings, update, refusal } = useOrganization();
  useChanges(model.channels.changes);
  const channels = [...model.channels.all.values()]
    .filter(({ isArchived }) => !isArchived)
    .sort((a, b) => a.name.localeCompare(b.name));
  const optionsOf = (shown: readonly ChannelRecord[]) => [
    { key: '-1', label: t('None') },
    ...shown.map(({ id, name }) => ({ key: String(id), label: name })),
  ];
  const settingsOfChannels = [
    ['new_stream_announcements_stream_id', t('Channel for announcements of new channels'), channels],
    [
      'moderation_request_channel_id',
      t('Channel for reports of messages'),
      channels.filter(({ isPrivate }) => isPrivate),
    ],
  ] as const;
  return (
    <FormSection title={t('Announcements')}>
      {settingsOfChannels.map(([name, label, shown]) => (
        <SelectSetting
          key={name}
          label={label}
          description={name === 'moderation_request_channel_id' ? t('It must be private.') : undefined}
          value={String(settings[name])}
          options={optionsOf(shown)}
          refusal={refusal(name)}
          save={(key) => update({ [name]: Number(key) })}
        />
      ))}
    </FormSection>
  );
}
