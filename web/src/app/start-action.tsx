import { type ReactNode, useEffect } from 'react';
import { useApp } from '../base/app.tsx';
import { composeStore } from '../compose/compose-store.ts';
import { openSearch } from '../search/search-store.ts';

interface StartActionProps {
  readonly action: 'new-message' | 'search';
}

/** Shortcuts of the installed app lead to these addresses. They show the inbox, and begin something there. */
export default function StartAction({ action }: StartActionProps): ReactNode {
  const { navigation } = useApp();
  useEffect(() => {
    navigation.replace({ view: 'inbox' });
    if (action === 'search') openSearch();
    else composeStore.open({ place: undefined });
  }, [navigation, action]);
  return null;
}
