import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { ClockIcon, FeedIcon, InboxIcon, MenuIcon, SearchIcon } from '../design/icons.ts';
import { BottomBar } from '../frame/frame-bottom-bar.tsx';
import { useFrame } from '../frame/frame-context.ts';
import { openSearch } from '../search/search-store.ts';

/** The views that a phone shows at its bottom. */
export function PhoneBar(): ReactNode {
  const { model, navigation } = useApp();
  const frame = useFrame();
  useChanges(navigation.changes);
  useChanges(model.unread.changes);
  const { view } = navigation.route;
  const isCovered = frame.isOpen('left') && !frame.isDocked('left');
  const { count } = model.unread;
  const link = (name: 'inbox' | 'recent' | 'feed') => ({
    key: name,
    href: navigation.hashOf({ view: name }),
    isCurrent: view === name && !isCovered,
  });
  const inbox = {
    ...link('inbox'),
    label: t('Inbox'),
    icon: InboxIcon,
    ...(count > 0 && {
      unread: {
        value: count,
        label: t('{count, plural, one {# unread message} other {# unread messages}}', { count }),
      },
    }),
  };
  return (
    <BottomBar
      items={[
        ...(model.account.isSpectator ? [] : [inbox]),
        { ...link('recent'), label: t('Recent'), icon: ClockIcon },
        { ...link('feed'), label: t('Feed'), icon: FeedIcon },
        { key: 'search', label: t('Search'), icon: SearchIcon, onPress: () => openSearch() },
        { key: 'menu', label: t('Menu'), icon: MenuIcon, onPress: () => frame.toggle('left'), isCurrent: isCovered },
      ]}
    />
  );
}
