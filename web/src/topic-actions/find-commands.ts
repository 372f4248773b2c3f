import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Command } from '../actions/command.ts';
import { openDialog } from '../actions/dialog-store.ts';
import { t } from '../base/i18n.ts';
import { DateIcon, SearchIcon } from '../design/icons.ts';
import { openSearch, searchShortcut } from '../search/search-store.ts';
import { topicShortcuts } from './shortcuts.ts';

/** Lead to messages of a channel or a topic: by their words, or by their day. */
export function findCommands(narrow: Narrow): readonly Command[] {
  return [
    {
      id: 'search',
      group: 'inspect',
      label: t('Search here…'),
      icon: SearchIcon,
      shortcut: searchShortcut,
      run: () => openSearch(narrow),
    },
    {
      id: 'date',
      group: 'inspect',
      label: t('Go to a date…'),
      icon: DateIcon,
      shortcut: topicShortcuts.date,
      run: () => openDialog({ kind: 'date', narrow }),
    },
  ];
}
