import { SYSTEM_GROUPS } from '@heddle/client/model/people/roles.ts';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { ORGANIZATION_SECTIONS, type OrganizationSection } from '../../base/settings-sections.ts';
import {
  AddIcon,
  AdjustIcon,
  BotIcon,
  ChannelIcon,
  CustomEmojiIcon,
  DownloadIcon,
  GroupIcon,
  LinkIcon,
  OrganizationIcon,
  PeopleIcon,
  PermissionIcon,
  PlaygroundIcon,
  ProfileIcon,
  SettingsIcon,
} from '../../design/icons.ts';
import { BotsPage } from '../bots/bots-page.tsx';
import { type PageOfSection, Sections, sectionsOf } from '../page.tsx';
import { ReadOnly } from '../read-only.tsx';
import { onlyText, roleValue } from '../reasons.ts';
import { DefaultChannelsPage } from './default-channels-page.tsx';
import { EmojiPage } from './emoji-page.tsx';
import { ExportsPage } from './exports-page.tsx';
import { ImportPage } from './import-page.tsx';
import { LinkifiersPage } from './linkifiers-page.tsx';
import { MembersPage } from './members-page.tsx';
import { OrganizationProfilePage } from './organization-profile-page.tsx';
import { OrganizationSettingsPage } from './organization-settings-page.tsx';
import { PermissionsPage } from './permissions-page.tsx';
import { PlaygroundsPage } from './playgrounds-page.tsx';
import { ProfileFieldsPage } from './profile-fields/profile-fields-page.tsx';
import { useOrganization } from './use-organization.ts';
import { UserDefaultsPage } from './user-defaults-page.tsx';

interface OrganizationViewProps {
  readonly section: string;
  /** A part of the page, or the id of what it shows. */
  readonly tab?: string | undefined;
}

/** The settings of the organization. Everybody sees them, and who may changes them. */
export function OrganizationView({ section, tab }: OrganizationViewProps): ReactNode {
  const { model } = useOrganization();
  const reason = model.account.isAdministrator
    ? undefined
    : onlyText(model, [roleValue(model, SYSTEM_GROUPS.administrators)]);
  const readable = (page: ReactNode) => <ReadOnly reason={reason}>{page}</ReadOnly>;
  const pages: Readonly<Partial<Record<OrganizationSection, PageOfSection>>> = {
    'organization-profile': { icon: OrganizationIcon, content: readable(<OrganizationProfilePage />) },
    'organization-settings': { icon: SettingsIcon, content: readable(<OrganizationSettingsPage />) },
    'organization-permissions': { icon: PermissionIcon, content: readable(<PermissionsPage />) },
    users: { icon: PeopleIcon, content: <MembersPage key={tab} tab={tab} /> },
    bots: { icon: BotIcon, content: <BotsPage key={tab} scope="all" shownId={idOf(tab)} /> },
    'emoji-settings': { icon: CustomEmojiIcon, content: <EmojiPage /> },
    'linkifier-settings': { icon: LinkIcon, content: <LinkifiersPage /> },
    'playground-settings': { icon: PlaygroundIcon, content: <PlaygroundsPage /> },
    'profile-field-settings': { icon: ProfileIcon, content: <ProfileFieldsPage /> },
    'default-channels-list': { icon: ChannelIcon, content: <DefaultChannelsPage /> },
    'organization-level-user-defaults': { icon: AdjustIcon, content: readable(<UserDefaultsPage />) },
    ...(model.account.isOwner && { import: { icon: AddIcon, content: <ImportPage /> } }),
    ...(model.account.isAdministrator && {
      'data-exports-admin': { icon: DownloadIcon, content: <ExportsPage /> },
    }),
  };
  return (
    <Sections
      title={t('Organization')}
      icon={OrganizationIcon}
      sections={sectionsOf(ORGANIZATION_SECTIONS, pages)}
      current={section}
      routeOf={(id) => ({ view: 'organization', section: id })}
      others={[{ label: t('User groups'), icon: GroupIcon, route: { view: 'groups', tab: 'all' } }]}
    />
  );
}

function idOf(tab: string | undefined): number | undefined {
  return tab !== undefined && /^\d+$/.test(tab) ? Number(tab) : undefined;
}
