import { type ReactNode, useSyncExternalStore } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import type { Route } from '../base/routes.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Spinner } from '../design/spinner.tsx';
import { ColumnHeader } from '../frame/frame-header.tsx';
import { titleOf } from './title.tsx';
import styles from './views.module.css';

/** What a view shows until its code is there. */
export function LoadingView({ route }: { readonly route: Route }): ReactNode {
  const { model, session } = useApp();
  useSyncExternalStore(session.statusChanges.subscribe, session.statusChanges.read);
  const isOffline = session.status.state === 'offline';
  return (
    <div className={styles.loading} aria-busy={!isOffline}>
      {/* The view may have a way back of its own, which leads elsewhere. */}
      <ColumnHeader column="main" title={titleOf(model, route) || t('Loading…')} hasOwnBack />
      <EmptyState title={t('Loading…')} action={<Spinner label="" />}>
        {isOffline && t('This page appears when you are online again.')}
      </EmptyState>
    </div>
  );
}
