import { type ReactNode, useSyncExternalStore } from 'react';
import { Feed } from '../feed/feed.tsx';
import { type App, AppContext, useApp } from './app.tsx';
import type { Boot } from './boot.ts';
import { Frame } from './frame.tsx';
import { t } from './i18n.ts';
import { TextsProvider } from './i18n-react.tsx';
import { Keyboard } from './keyboard-react.tsx';
import { useChanges } from './use-changes.ts';

/** The whole app. */
export function Heddle({ boot }: { readonly boot: Boot }): ReactNode {
  useSyncExternalStore(boot.changes.subscribe, boot.changes.read);
  return (
    <TextsProvider>
      <Keyboard />
      {boot.app !== undefined && <Running app={boot.app} />}
    </TextsProvider>
  );
}

function Running({ app }: { readonly app: App }): ReactNode {
  return (
    <AppContext value={app}>
      <Frame left={null} leftLabel={t('Conversations')} main={<Main />} mainLabel={t('Messages')} />
    </AppContext>
  );
}

function Main(): ReactNode {
  const { navigation } = useApp();
  useChanges(navigation.changes);
  const { route } = navigation;
  if (route.view === 'narrow') return <Feed narrow={route.narrow} />;
  return <Feed narrow={COMBINED} />;
}

const COMBINED = [{ operator: 'is', operand: 'muted', negated: true }] as const;
