import type { ReactNode } from 'react';
import { EmptyState } from '../../design/empty-state.tsx';
import {
  DisplayIcon,
  FileIcon,
  MentionIcon,
  MutePersonIcon,
  NotifyIcon,
  PrivateIcon,
  ProfileIcon,
  SettingsIcon,
} from '../../design/icons.ts';
import { useModel } from '../../shell/app.tsx';
import { t } from '../../shell/i18n.ts';
import { Sections } from '../page.tsx';
import { AccountPage } from './account-page.tsx';
import { AlertWordsPage } from './alert-words-page.tsx';
import { FilesPage } from './files-page.tsx';
import { MutedUsersPage } from './muted-users-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PreferencesPage } from './preferences-page.tsx';
import { ProfilePage } from './profile-page.tsx';

/** The settings of the own account. */
export function SettingsView({ section }: { readonly section: string }): ReactNode {
  const { account } = useModel();
  if (account.isSpectator) {
    return (
      <EmptyState icon={SettingsIcon} title={t('Settings need an account')}>
        <a href="/login/">{t('Log in')}</a>
      </EmptyState>
    );
  }
  const sections = [
    { id: 'profile', label: t('Profile'), icon: ProfileIcon, content: <ProfilePage /> },
    { id: 'account-and-privacy', label: t('Account and privacy'), icon: PrivateIcon, content: <AccountPage /> },
    { id: 'preferences', label: t('Preferences'), icon: DisplayIcon, content: <PreferencesPage /> },
    { id: 'notifications', label: t('Notifications'), icon: NotifyIcon, content: <NotificationsPage /> },
    { id: 'alert-words', label: t('Alert words'), icon: MentionIcon, content: <AlertWordsPage /> },
    { id: 'uploaded-files', label: t('Uploaded files'), icon: FileIcon, content: <FilesPage /> },
    { id: 'muted-users', label: t('Muted people'), icon: MutePersonIcon, content: <MutedUsersPage /> },
  ];
  return (
    <Sections
      title={t('Settings')}
      icon={SettingsIcon}
      sections={sections}
      current={section}
      routeOf={(id) => ({ view: 'settings', section: id })}
    />
  );
}
