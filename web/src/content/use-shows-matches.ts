import { useApp } from '../base/app.tsx';
import { useChanges } from '../base/use-changes.ts';

/** Whether the view is a search. Other views show the same messages without highlighted matches. */
export function useShowsMatches(): boolean {
  const { navigation } = useApp();
  useChanges(navigation.changes);
  const { route } = navigation;
  return route.view === 'narrow' && route.narrow.some(({ operator, negated }) => operator === 'search' && !negated);
}
