import { placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type ReactNode, useEffect } from 'react';
import { useApp } from '../base/app.tsx';
import { type Message, t } from '../base/i18n.ts';
import type { Route } from '../base/routes.ts';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS } from '../base/settings-sections.ts';
import { useChanges } from '../base/use-changes.ts';
import { BUILT_IN_VIEWS } from '../conversations/sidebar/views.ts';
import { narrowText } from '../search/term-texts.ts';
import { placeName } from '../shown/names.ts';
import { titleCount } from './title-count.ts';
import { showIconCount } from './title-icon.ts';

/** The title follows the counts at most this often, in milliseconds, because browsers draw tabs slowly. */
const PAUSE_MS = 250;

/** The title of another view is set after its first frame, in milliseconds. */
const FIRST_PAUSE_MS = 50;

/** Shows the view and the number of unread messages in the title and the icon of the tab. It has no view. */
export function TitleAndIcon(): ReactNode {
  const { model, navigation } = useApp();
  useChanges(navigation.changes);
  useChanges(model.organization.changes);
  const { route } = navigation;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const count = titleCount(model);
      const name = [titleOf(model, route), model.organization.settings.name].filter((part) => part !== '').join(' – ');
      document.title = count === 0 ? name : `(${count}) ${name}`;
      void showIconCount(count);
    };
    const later = () => {
      timer ??= setTimeout(show, PAUSE_MS);
    };
    timer = setTimeout(show, FIRST_PAUSE_MS);
    const subjects = [
      model.unread.changes,
      model.topicPolicies.changes,
      model.account.changes,
      model.channels.orderChanges,
    ];
    const ends = subjects.map((subject) => subject.subscribe(later));
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [model, route]);
  return null;
}

/** The name of a view, for the title of the tab. */
export function titleOf(model: Model, route: Route): string {
  switch (route.view) {
    case 'narrow': {
      const place = placeOfNarrow(route.narrow, model.ownId);
      return place === undefined ? narrowText(model, route.narrow) : placeName(model, place);
    }
    case 'channels':
      return t('Channels');
    case 'channel':
    case 'topics':
      return model.channels.get(route.channelId)?.name ?? t('Channels');
    case 'groups':
    case 'group':
      return t('User groups');
    case 'user':
      return model.users.get(route.userId)?.name ?? '';
    case 'settings':
      return sectionName(OWN_SECTIONS, route.section) ?? t('Settings');
    case 'organization':
      return sectionName(ORGANIZATION_SECTIONS, route.section) ?? t('Organization');
    case 'keyboard-shortcuts':
      return t('Keyboard shortcuts');
    case 'message-formatting':
      return t('Message formatting');
    case 'search-operators':
      return t('Search operators');
    case 'share':
      return t('Share');
    case 'unknown':
      return '';
    default: {
      const label = BUILT_IN_VIEWS.find(({ fragment }) => fragment === route.view)?.label;
      return label === undefined ? '' : t(label);
    }
  }
}

function sectionName(names: Readonly<Record<string, { readonly label: Message }>>, id: string): string | undefined {
  const label = names[id]?.label;
  return label === undefined ? undefined : t(label);
}
