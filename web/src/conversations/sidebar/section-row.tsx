import type { Connection } from '@heddle/client/calls/connection.ts';
import { addNavigationView, editNavigationView } from '@heddle/client/calls/operations.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { memo, type ReactNode } from 'react';
import { useApp, useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { AddIcon, ChannelIcon } from '../../design/icons.ts';
import { MenuItem, MenuSection, MoreMenu } from '../../design/menu.tsx';
import { UnreadMarks } from '../../shown/unread-marks.tsx';
import { type SectionName, sectionKey } from './rows.ts';
import styles from './sidebar.module.css';
import { ToggleRow } from './sidebar-row.tsx';
import { viewsOf } from './views.ts';

interface SectionRowProps {
  section: SectionName;
  isOpen: boolean;
  isActive: boolean;
  channelIds: readonly number[];
  onToggle: (section: string, isOpen: boolean) => void;
}

/** The heading of a section, which opens and closes it. */
export const SectionRow = memo(function SectionRow({
  section,
  isOpen,
  isActive,
  channelIds,
  onToggle,
}: SectionRowProps): ReactNode {
  return (
    <div className={styles.section}>
      <h2 className={styles.heading}>
        <ToggleRow
          isOpen={isOpen}
          isActive={isActive}
          onToggle={() => onToggle(sectionKey(section), !isOpen)}
          marks={!isOpen && <HiddenUnread section={section} channelIds={channelIds} />}
        >
          {sectionTitle(section)}
        </ToggleRow>
      </h2>
      {section === 'views' && <ViewsMenu />}
      {section === 'other' && <ChannelsMenu />}
    </div>
  );
});

export function sectionTitle(section: SectionName): string {
  switch (section) {
    case 'views':
      return t('Views');
    case 'direct':
      return t('Direct messages');
    case 'pinned':
      return t('Pinned channels');
    case 'other':
      return t('Channels');
    default:
      return section.name;
  }
}

/** The unread messages of a closed section. */
function HiddenUnread({ section, channelIds }: Pick<SectionRowProps, 'section' | 'channelIds'>): ReactNode {
  const model = useModel();
  useChanges(model.unread.changes);
  useChanges(model.account.changes);
  if (!model.account.settings.web_left_sidebar_unreads_count_summary) return null;
  if (section === 'direct') return <UnreadMarks count={model.unread.directCount} />;
  const inSection = new Set(channelIds);
  let count = 0;
  let mentions = 0;
  for (const id of model.unread.channelIds()) {
    if (!inSection.has(id)) continue;
    count += model.unread.ofChannel(id).count;
    mentions += model.unread.ofChannel(id).mentions;
  }
  return <UnreadMarks count={count} mentions={mentions} />;
}

/** Shows the views that are not in the sidebar, and decides which ones are. */
function ViewsMenu(): ReactNode {
  const { model, connection, navigation } = useApp();
  useChanges(model.navigationViews.changes);
  const views = viewsOf(model);
  const hidden = views.filter(({ isPinned }) => !isPinned);
  return (
    <MoreMenu label={t('More views')} size="small">
      {hidden.length > 0 && (
        <MenuSection heading={t('More views')}>
          {hidden.map(({ fragment, name, icon, builtIn }) => (
            <MenuItem
              key={fragment}
              icon={icon}
              onAction={() => navigation.go(builtIn?.route ?? { view: 'unknown', hash: `#${fragment}` })}
            >
              {name}
            </MenuItem>
          ))}
        </MenuSection>
      )}
      <MenuSection
        heading={t('In the sidebar')}
        selectionMode="multiple"
        selectedKeys={views.filter(({ isPinned }) => isPinned).map(({ fragment }) => fragment)}
        onSelectionChange={(keys) => void pinViews(model, connection, keys)}
      >
        {views.map(({ fragment, name }) => (
          <MenuItem key={fragment} id={fragment} shouldCloseOnSelect={false}>
            {name}
          </MenuItem>
        ))}
      </MenuSection>
    </MoreMenu>
  );
}

async function pinViews(model: Model, connection: Connection, pinned: ReadonlySet<string>): Promise<void> {
  const changed = viewsOf(model).filter(({ fragment, isPinned }) => isPinned !== pinned.has(fragment));
  try {
    for (const { fragment } of changed) {
      const place = { fragment, is_pinned: pinned.has(fragment) };
      if (model.navigationViews.all.has(fragment)) await editNavigationView(connection, place);
      else await addNavigationView(connection, place);
    }
  } catch {
    toasts.show({ text: t('The sidebar could not be changed. Try again.'), kind: 'error', key: 'views' });
  }
}

function ChannelsMenu(): ReactNode {
  const { model, navigation } = useApp();
  const canCreate = (['public', 'private', 'web-public'] as const).some(
    (kind) => model.permissions.channels.create(kind).allowed,
  );
  if (model.account.isSpectator) return null;
  return (
    <MoreMenu label={t('Add channels')} size="small" icon={AddIcon}>
      <MenuItem icon={ChannelIcon} onAction={() => navigation.go({ view: 'channels', tab: 'available' })}>
        {t('Browse channels')}
      </MenuItem>
      <MenuItem
        icon={AddIcon}
        isDisabled={!canCreate}
        onAction={() => navigation.go({ view: 'channels', tab: 'new' })}
        {...(!canCreate && { detail: t('You do not have the permission to create channels.') })}
      >
        {t('Create a channel')}
      </MenuItem>
    </MoreMenu>
  );
}
