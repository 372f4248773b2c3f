import type { MessageRecord } from '@heddle/client/model/message-record.ts';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { messageFragment } from '../message-html.ts';

/** The text of a message. */
export function MessageContent({ record }: { readonly record: MessageRecord }): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const html = record.matchContent ?? record.content;
  useLayoutEffect(() => element.current?.replaceChildren(messageFragment(html)), [html]);
  return <div ref={element} className="message-html" />;
}
