import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { start } from '../base/early.ts';
import { t } from '../base/i18n.ts';
import { lazyComponent } from '../base/load-code.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ErrorIcon } from '../design/icons.ts';
import { Spinner } from '../design/spinner.tsx';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import type { Boot } from './boot.ts';
import { StoppedButton, stoppedText, useIsLong } from './connection-banner.tsx';

const Unsent = lazyComponent(async () => ({ default: (await import('./unsent-messages.tsx')).UnsentMessages }));

/** The page until the initial state is there. It stays empty for a short time, so that a fast start does not flicker. */
export function Starting({ boot }: { readonly boot: Boot }): ReactNode {
  const { session, unsent } = boot;
  useSyncExternalStore(session.statusChanges.subscribe, session.statusChanges.read);
  const { status } = session;
  const isLong = useIsLong(true);
  if (status.state === 'stopped') {
    return (
      <main>
        <h1>
          <VisuallyHidden>{start.organizationName}</VisuallyHidden>
        </h1>
        <EmptyState
          icon={ErrorIcon}
          title={stoppedText(status.reason)}
          action={<StoppedButton reason={status.reason} />}
        />
        {unsent.length > 0 && (
          <Suspense fallback={null}>
            <Unsent messages={unsent} />
          </Suspense>
        )}
      </main>
    );
  }
  if (!isLong) return null;
  if (status.state === 'connecting' || status.state === 'live')
    return <EmptyState title={t('Loading…')} action={<Spinner label="" />} />;
  return (
    <main>
      <EmptyState
        icon={ErrorIcon}
        title={t('The server cannot be reached')}
        action={<Button onPress={() => session.check()}>{t('Try now')}</Button>}
      >
        {t('Heddle starts as soon as the server can be reached.')}
      </EmptyState>
    </main>
  );
}
