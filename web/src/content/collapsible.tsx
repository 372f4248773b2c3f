import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type CSSProperties, type ReactNode, useCallback, useId, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';
import { expandedMessages, heightLimit, SHORT_HTML_CHARACTERS, setCollapsed } from './collapsing.ts';
import styles from './message-content.module.css';

interface Props {
  readonly record: MessageRecord;
  readonly html: string;
  readonly children: (onInsert: (root: HTMLElement) => void, contentId: string) => ReactNode;
}

/** Shows the beginning of a long message with a button for the rest, and one line of a message that the user has collapsed. */
export function Collapsible({ record: { id, isCollapsed }, html, children }: Props): ReactNode {
  const app = useApp();
  const [limit, setLimit] = useState<number>();
  const [isExpanded, setExpanded] = useState(() => expandedMessages.has(id));
  const contentId = useId();
  const canBeLong = html.length > SHORT_HTML_CHARACTERS;
  const measure = useCallback(
    (root: HTMLElement) => {
      const most = heightLimit(window.innerHeight);
      // A button for a few more lines would be of no use.
      setLimit(canBeLong && root.scrollHeight > most * 1.15 ? most : undefined);
    },
    [canBeLong],
  );
  const expand = (shall: boolean) => {
    if (shall) expandedMessages.add(id);
    else expandedMessages.delete(id);
    setExpanded(shall);
  };
  const uncollapse = () => {
    setCollapsed(app, id, false).catch((error: unknown) => {
      const problem = problemText(error);
      toasts.show({ text: t('The message stays collapsed: {problem}', { problem }), kind: 'error' });
    });
  };
  const isLong = limit !== undefined;
  const isClipped = isLong && !isExpanded;
  const className = isCollapsed ? styles.collapsed : isClipped ? styles.clipped : styles.whole;
  return (
    <>
      <div className={className} style={{ '--limit': `${limit}px` } as CSSProperties} inert={isCollapsed}>
        {children(measure, contentId)}
      </div>
      {(isCollapsed || isLong) && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={!isCollapsed && !isClipped}
          aria-controls={contentId}
          onClick={() => (isCollapsed ? uncollapse() : expand(isClipped))}
        >
          {isCollapsed || isClipped ? t('Show more') : t('Show less')}
        </button>
      )}
    </>
  );
}
