import type { MessageRecord } from '@heddle/client/model/message-record.ts';
import type { ReactNode } from 'react';
import { MessageHtml } from './message-html-view.tsx';

interface Props {
  readonly record: MessageRecord;
  /** Highlights what a search found. */
  readonly showsMatches?: boolean;
}

/** The content of a message. */
export function MessageContent({ record, showsMatches = true }: Props): ReactNode {
  const html = (showsMatches ? record.matchContent : undefined) ?? record.content;
  return <MessageHtml html={html} messageId={record.id} isTopicMentioned={record.isTopicMentioned} />;
}
