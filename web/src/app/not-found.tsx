import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { SearchIcon, TopicIcon } from '../design/icons.ts';
import { ColumnHeader } from '../frame/frame-header.tsx';
import { openSearch } from '../search/search-store.ts';
import styles from './not-found.module.css';

/** An address that names nothing leads on. */
export function NotFound(): ReactNode {
  const { navigation } = useApp();
  return (
    <>
      <ColumnHeader column="main" title={t('Not found')} hasDetails />
      <EmptyState
        icon={TopicIcon}
        title={t('This address leads nowhere')}
        action={
          <div className={styles.actions}>
            <Button kind="primary" onPress={() => navigation.goHome()}>
              {t('Go to the start')}
            </Button>
            <Button icon={SearchIcon} onPress={() => openSearch([])}>
              {t('Search messages')}
            </Button>
          </div>
        }
      >
        {t('It may name a channel or a person that you cannot see.')}
      </EmptyState>
    </>
  );
}
