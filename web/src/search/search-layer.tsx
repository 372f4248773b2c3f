import { conditionsOf } from '@heddle/client/model/messages/narrow.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { useShortcut } from '../base/keyboard-react.tsx';
import { lazyPart } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';
import { openedSearch, openSearch, searchChanges, searchShortcut } from './search-store.ts';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'));

/** Shows the search while it is open. Mount it once. */
export function SearchLayer(): ReactNode {
  const { navigation } = useApp();
  useChanges(searchChanges);
  useShortcut(searchShortcut, () => {
    const { route } = navigation;
    const narrow = route.view === 'narrow' ? route.narrow : [];
    openSearch(conditionsOf(narrow));
  });
  const terms = openedSearch();
  if (terms === undefined) return null;
  return <SearchDialog key={JSON.stringify(terms)} terms={terms} />;
}
