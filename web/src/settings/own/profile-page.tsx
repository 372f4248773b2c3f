import { deleteAvatar, updateSettings, uploadAvatar } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { ComboBox } from '../../design/combo-box.tsx';
import { FormSection } from '../../design/form.tsx';
import { pictureOf } from '../../shown/picture.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { TextSetting } from '../controls.tsx';
import { ImageSetting } from '../image-setting.tsx';
import { refusalText } from '../reasons.ts';
import { SaveNote } from '../save-note.tsx';
import { useSaved } from '../saving.ts';
import styles from '../settings.module.css';
import { ProfileFields } from './profile-fields.tsx';

/** The maximum length of a name, in characters. */
const MAX_NAME_CHARACTERS = 100;

/** What others see about the user. */
export function ProfilePage(): ReactNode {
  const { model, connection } = useApp();
  const { account, permissions, users, ownId } = model;
  useChanges(account.changes);
  useChanges(permissions.changes);
  return (
    <>
      <FormSection title={t('Profile')}>
        <RouteLink to={{ view: 'user', userId: ownId }}>{t('Show what others see')}</RouteLink>
        <TextSetting
          label={t('Name')}
          value={account.name}
          limit={MAX_NAME_CHARACTERS}
          keptAs="own name"
          isRequired
          refusal={refusalText(model, permissions.changeOwn('name'))}
          save={(full_name) => updateSettings(connection, { full_name })}
        />
        <ImageSetting
          label={t('Picture')}
          name={account.name}
          id={ownId}
          src={pictureOf(users.get(ownId))}
          refusal={refusalText(model, permissions.changeOwn('picture'))}
          upload={(file) => uploadAvatar(connection, { file })}
          remove={account.hasUploadedAvatar ? () => deleteAvatar(connection) : undefined}
        />
        <TimeZone />
      </FormSection>
      <ProfileFields />
    </>
  );
}

function TimeZone(): ReactNode {
  const { model, connection } = useApp();
  const saved = useSaved(model.account.settings.timezone, (timezone) => updateSettings(connection, { timezone }));
  const zones = Intl.supportedValuesOf('timeZone');
  const option = (zone: string) => ({ key: zone, label: zone.replaceAll('_', ' ') });
  return (
    <div className={styles.setting}>
      <ComboBox
        label={t('Time zone')}
        description={t('Others see your local time. The app shows times in the zone of the device.')}
        placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone}
        value={saved.value === '' ? null : option(saved.value)}
        onChange={(zone) => zone !== null && saved.change(zone)}
        search={(text) => {
          const wanted = text.toLowerCase().replaceAll(' ', '_');
          return zones
            .filter((zone) => zone.toLowerCase().includes(wanted))
            .slice(0, 50)
            .map(option);
        }}
        emptyText={t('No time zone has this name.')}
      />
      <SaveNote action={saved.action} />
    </div>
  );
}
