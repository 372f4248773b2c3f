import { type ReactNode, useContext } from 'react';
import { t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { OwnSwitch, UserSelect, UserSwitch } from './own-setting.tsx';
import { SettingsOf } from './settings-target.ts';

/** What others learn about a user. */
export function Privacy(): ReactNode {
  const isAccount = useContext(SettingsOf) === 'account';
  return (
    <FormSection title={t('Privacy')}>
      <UserSelect
        name="email_address_visibility"
        label={t('Who can see my email address')}
        choices={[
          [1, t('Everyone')],
          [2, t('Members')],
          [5, t('Moderators')],
          [3, t('Administrators')],
          [4, t('Nobody')],
        ]}
      />
      <UserSwitch name="presence_enabled" label={t('Show others when I am active')} />
      <UserSwitch name="send_read_receipts" label={t('Show others what I have read')} />
      <UserSwitch name="send_private_typing_notifications" label={t('Show when I write a direct message')} />
      <UserSwitch name="send_stream_typing_notifications" label={t('Show when I write in a channel')} />
      {isAccount && (
        <OwnSwitch name="allow_private_data_export" label={t('Let administrators export my private data')} />
      )}
    </FormSection>
  );
}
