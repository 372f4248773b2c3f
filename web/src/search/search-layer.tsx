import { lazy, type ReactNode, Suspense } from 'react';
import { useApp } from '../shell/app.tsx';
import { useShortcut } from '../shell/keyboard-react.tsx';
import { useChanges } from '../shell/use-changes.ts';
import { openedSearch, openSearch, searchChanges, searchShortcut } from './search-store.ts';

const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** Shows the search while it is open. Mount it once. */
export function SearchLayer(): ReactNode {
  const { navigation } = useApp();
  useChanges(searchChanges);
  useShortcut(searchShortcut, () => {
    const { route } = navigation;
    const narrow = route.view === 'narrow' ? route.narrow : [];
    openSearch(narrow.filter(({ operator }) => operator !== 'near' && operator !== 'with'));
  });
  const terms = openedSearch();
  if (terms === undefined) return null;
  return (
    <Suspense>
      <SearchDialog key={JSON.stringify(terms)} terms={terms} />
    </Suspense>
  );
}
