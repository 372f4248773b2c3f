import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { NotificationsPage } from '../own/notifications-page.tsx';
import { PreferencesPage } from '../own/preferences-page.tsx';
import { Privacy } from '../own/privacy.tsx';
import { SettingsOf } from '../own/settings-target.ts';
import styles from '../settings.module.css';

/** The settings that new users have until they change them. */
export function UserDefaultsPage(): ReactNode {
  return (
    <SettingsOf value="new users">
      <div className={styles.notice}>
        <Banner kind="info">{t('New users begin with these settings. Existing accounts do not change.')}</Banner>
      </div>
      <PreferencesPage />
      <NotificationsPage />
      <Privacy />
    </SettingsOf>
  );
}
