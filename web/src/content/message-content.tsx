import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { memo, type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../base/load-code.ts';
import { Collapsible } from './collapsible.tsx';
import styles from './message-content.module.css';
import { MessageHtml } from './message-html-view.tsx';
import { useShowsMatches } from './use-shows-matches.ts';
import { widgetOf } from './widgets/widget.ts';

const WidgetView = lazyComponent(() => import('./widgets/widget-view.tsx'));

interface Props {
  readonly record: MessageRecord;
}

/** The content of a message: its text with everything in it, or its poll or to-do list. */
export const MessageContent = memo(function MessageContent({ record }: Props): ReactNode {
  const showsMatches = useShowsMatches();
  const widget = widgetOf(record.submessages);
  if (widget !== undefined) {
    return (
      <Suspense fallback={<div className={styles.loading} aria-busy="true" />}>
        <WidgetView record={record} widget={widget} />
      </Suspense>
    );
  }
  const html = (showsMatches ? record.matchContent : undefined) ?? record.content;
  return (
    <Collapsible record={record} html={html}>
      {(onInsert, contentId) => (
        <MessageHtml
          html={html}
          id={contentId}
          messageId={record.id}
          isMe={record.isMe}
          isTopicMentioned={record.isTopicMentioned}
          onInsert={onInsert}
        />
      )}
    </Collapsible>
  );
});
