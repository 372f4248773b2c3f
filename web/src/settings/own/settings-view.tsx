import type { ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { OWN_SECTIONS, type OwnSection } from '../../base/settings-sections.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import {
  BotIcon,
  DevicesIcon,
  DisplayIcon,
  FileIcon,
  IntegrationIcon,
  MentionIcon,
  MutePersonIcon,
  NotifyIcon,
  OrganizationIcon,
  PrivateIcon,
  ProfileIcon,
  SettingsIcon,
  TopicIcon,
} from '../../design/icons.ts';
import { LoginLink } from '../../shown/login-link.tsx';
import { BotsPage } from '../bots/bots-page.tsx';
import { type PageOfSection, Sections, sectionsOf } from '../page.tsx';
import { AccountPage } from './account-page.tsx';
import { AlertWordsPage } from './alert-words-page.tsx';
import { FilesPage } from './files-page.tsx';
import { MutedUsersPage } from './muted-users-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { OrganizationsPage } from './organizations-page.tsx';
import { PreferencesPage } from './preferences-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { SessionsPage } from './sessions-page.tsx';
import { TopicsPage } from './topics-page.tsx';

const IntegrationsPage = lazyPart(async () => ({
  default: (await import('../integrations/integrations-page.tsx')).IntegrationsPage,
}));

interface SettingsViewProps {
  readonly section: string;
  /** What the page shows, for example the name of an integration. */
  readonly tab?: string | undefined;
}

/** The settings of the own account. */
export function SettingsView({ section, tab }: SettingsViewProps): ReactNode {
  const { account } = useModel();
  if (account.isSpectator) {
    return (
      <EmptyState icon={SettingsIcon} title={t('Settings need an account')}>
        <LoginLink>{t('Log in')}</LoginLink>
      </EmptyState>
    );
  }
  const pages: Readonly<Record<OwnSection, PageOfSection>> = {
    profile: { icon: ProfileIcon, content: <ProfilePage /> },
    'account-and-privacy': { icon: PrivateIcon, content: <AccountPage /> },
    sessions: { icon: DevicesIcon, content: <SessionsPage /> },
    organizations: { icon: OrganizationIcon, content: <OrganizationsPage passed={tab} /> },
    preferences: { icon: DisplayIcon, content: <PreferencesPage /> },
    notifications: { icon: NotifyIcon, content: <NotificationsPage /> },
    topics: { icon: TopicIcon, content: <TopicsPage /> },
    'muted-users': { icon: MutePersonIcon, content: <MutedUsersPage /> },
    'alert-words': { icon: MentionIcon, content: <AlertWordsPage /> },
    'uploaded-files': { icon: FileIcon, content: <FilesPage /> },
    'your-bots': { icon: BotIcon, content: <BotsPage scope="own" /> },
    integrations: { icon: IntegrationIcon, content: <IntegrationsPage tab={tab} /> },
  };
  return (
    <Sections
      title={t('Settings')}
      icon={SettingsIcon}
      sections={sectionsOf(OWN_SECTIONS, pages)}
      current={section}
      routeOf={(id) => ({ view: 'settings', section: id })}
    />
  );
}
