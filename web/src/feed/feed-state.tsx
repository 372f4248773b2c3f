import type { Anchor } from '@heddle/client/model/messages/message-pages.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { ReactNode } from 'react';
import { lazyPart } from '../base/lazy-part.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import styles from './feed.module.css';

interface FeedStateProps {
  readonly window: MessageWindow;
  readonly narrow: Narrow;
  /** Where the list opens. */
  readonly anchor: Anchor;
  /** The messages that it shows are not the wanted ones yet. */
  readonly isLoading?: boolean;
}

const NoMessages = lazyPart(() => import('./no-messages.tsx'), <Loading />);

/** What a list shows while it has no messages: it loads, it failed, or there are none. */
export function FeedState({ window, narrow, anchor, isLoading = false }: FeedStateProps): ReactNode {
  const { state } = window;
  if (isLoading || (state !== 'ready' && state !== 'failed')) return <Loading />;
  return <NoMessages window={window} narrow={narrow} anchor={anchor} />;
}

function Loading(): ReactNode {
  return (
    <div className={styles.loading} aria-busy="true" data-list>
      <Skeleton kind="message" count={8} />
    </div>
  );
}
