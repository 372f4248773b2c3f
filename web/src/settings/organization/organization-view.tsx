import type { ReactNode } from 'react';
import { CustomEmojiIcon, OrganizationIcon, PeopleIcon, PermissionIcon, SettingsIcon } from '../../design/icons.ts';
import { t } from '../../shell/i18n.ts';
import { Sections } from '../page.tsx';
import { EmojiPage } from './emoji-page.tsx';
import { MembersPage } from './members-page.tsx';
import { OrganizationProfilePage } from './organization-profile-page.tsx';
import { OrganizationSettingsPage } from './organization-settings-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';

/** The settings of the organization. Everybody sees them, and who may changes them. */
export function OrganizationView({ section }: { readonly section: string }): ReactNode {
  const sections = [
    {
      id: 'organization-profile',
      label: t('Organization profile'),
      icon: OrganizationIcon,
      content: <OrganizationProfilePage />,
    },
    {
      id: 'organization-settings',
      label: t('Organization settings'),
      icon: SettingsIcon,
      content: <OrganizationSettingsPage />,
    },
    {
      id: 'organization-permissions',
      label: t('Organization permissions'),
      icon: PermissionIcon,
      content: <PermissionsPage />,
    },
    { id: 'users', label: t('Users'), icon: PeopleIcon, content: <MembersPage /> },
    { id: 'emoji-settings', label: t('Custom emoji'), icon: CustomEmojiIcon, content: <EmojiPage /> },
  ];
  return (
    <Sections
      title={t('Organization')}
      icon={OrganizationIcon}
      sections={sections}
      current={section}
      routeOf={(id) => ({ view: 'organization', section: id })}
    />
  );
}
