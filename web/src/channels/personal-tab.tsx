import { updateSubscriptionSettings } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { type ReactNode, useId } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { FormSection } from '../design/form.tsx';
import { SwitchSetting } from '../settings/controls.tsx';
import { SaveNote } from '../settings/save-note.tsx';
import { useAction, useSaved } from '../settings/saving.ts';
import settingsStyles from '../settings/settings.module.css';
import styles from './channels.module.css';

/** What only the user sees: mute, pin, colour and notifications. */
export function PersonalTab({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { connection } = useApp();
  const save = (property: string, value: boolean | string) =>
    updateSubscriptionSettings(connection, { subscription_data: [{ stream_id: channel.id, property, value }] });
  const { settings } = channel;
  if (settings === null) return null;
  return (
    <>
      <FormSection title={t('Display')}>
        <SwitchSetting
          label={t('Mute the channel')}
          description={t('Its messages do not count as unread in the overview.')}
          value={settings.isMuted}
          save={(value) => save('is_muted', value)}
        />
        <SwitchSetting
          label={t('Pin the channel to the top')}
          value={settings.isPinned}
          save={(value) => save('pin_to_top', value)}
        />
        <Colour value={settings.color} save={(value) => save('color', value)} />
      </FormSection>
      <Notifications channel={channel} save={save} />
    </>
  );
}

interface NotificationsProps {
  readonly channel: ChannelRecord;
  readonly save: (property: string, value: boolean) => Promise<unknown>;
}

function Notifications({ channel: { settings }, save }: NotificationsProps): ReactNode {
  const { model } = useApp();
  const action = useAction();
  if (settings === null) return null;
  const general = model.account.settings;
  const rows = [
    [
      'desktop_notifications',
      t('On the desktop'),
      settings.desktopNotifications,
      general.enable_stream_desktop_notifications,
    ],
    [
      'audible_notifications',
      t('With a sound'),
      settings.audibleNotifications,
      general.enable_stream_audible_notifications,
    ],
    ['push_notifications', t('On the phone'), settings.pushNotifications, general.enable_stream_push_notifications],
    ['email_notifications', t('By mail'), settings.emailNotifications, general.enable_stream_email_notifications],
    [
      'wildcard_mentions_notify',
      t('For mentions of everyone'),
      settings.wildcardMentionsNotify,
      general.wildcard_mentions_notify,
    ],
  ] as const;
  const differing = rows.filter(([, , own, usual]) => own !== null && own !== usual);
  return (
    <FormSection
      title={t('Notifications of this channel')}
      description={t('Until you change one, your general settings apply.')}
    >
      {rows.map(([property, label, own, usual]) => (
        <SwitchSetting key={property} label={label} value={own ?? usual} save={(value) => save(property, value)} />
      ))}
      {differing.length > 0 && (
        <div>
          <Button
            size="small"
            isPending={action.isPending}
            onPress={() =>
              void action.run(() => Promise.all(differing.map(([property, , , usual]) => save(property, usual))))
            }
          >
            {t('Set to your general settings')}
          </Button>
          <SaveNote action={action} />
        </div>
      )}
    </FormSection>
  );
}

interface ColourProps {
  readonly value: string;
  readonly save: (value: string) => Promise<unknown>;
}

/** The browser's own choice of a colour. It saves when the choice closes. */
function Colour({ value, save }: ColourProps): ReactNode {
  const id = useId();
  const saved = useSaved(value, save);
  return (
    <div className={settingsStyles.setting}>
      <label htmlFor={id}>{t('Colour')}</label>
      <input
        id={id}
        type="color"
        className={styles.colour}
        key={saved.value}
        defaultValue={saved.value}
        onBlur={({ target }) => target.value !== saved.value && saved.change(target.value)}
      />
      <SaveNote action={saved.action} />
    </div>
  );
}
