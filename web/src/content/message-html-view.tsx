import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useApp } from '../base/app.tsx';
import { useChanges } from '../base/use-changes.ts';
import { classes } from '../design/classes.ts';
import { useContentEvents } from './content-events.ts';
import { decorate, type Look } from './decorate.ts';
import { openSpoilersOf, reopenSpoilers } from './decorate-blocks.ts';
import { decorateNames } from './decorate-names.ts';
import { messageFragment } from './message-html.ts';
import './content.css';
import { changesOfReference, NO_REFERENCES, referencesOf } from './references.ts';

interface Props {
  /** HTML of the server, not sanitized. */
  readonly html: string;
  /** The message with this content, if it has been sent. */
  readonly messageId?: number | undefined;
  readonly id?: string;
  /** The text is an action of its sender, which the name before it completes (`/me`). */
  readonly isMe?: boolean;
  /** The message mentions the participants of its topic, and so the reader. */
  readonly isTopicMentioned?: boolean;
  readonly className?: string | undefined;
  /** Called when the nodes are in the document for the first time, and after each change of them. */
  readonly onInsert?: (root: HTMLElement) => void;
}

/** HTML that the server rendered from Markdown: messages, previews and descriptions. */
export function MessageHtml({
  html,
  id,
  messageId,
  isMe = false,
  isTopicMentioned = false,
  className,
  onInsert,
}: Props): ReactNode {
  const { model } = useApp();
  const root = useRef<HTMLDivElement>(null);
  const references = useMemo(() => referencesOf(html), [html]);
  useChanges(useMemo(() => changesOfReference(model, references), [model, references]));
  const look = useLook();
  const lookKey = `${look.animation}/${look.isEmojiText}/${look.times}`;
  // Other changes of the look appear when the message is shown the next time.
  const latest = useRef({ look, onInsert });
  latest.current = { look, onInsert };
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const openSpoilers = openSpoilersOf(element);
    const fragment = messageFragment(html);
    if (isMe) removeMe(fragment);
    const isOnlyEmoji = decorate(fragment, html, latest.current.look);
    reopenSpoilers(fragment, openSpoilers);
    element.toggleAttribute('data-only-emoji', isOnlyEmoji);
    element.replaceChildren(fragment);
    element.dataset.look = lookKey;
    latest.current.onInsert?.(element);
  }, [html, lookKey, isMe]);
  // After each rendering, because a name can have changed.
  useLayoutEffect(() => {
    if (root.current !== null && references !== NO_REFERENCES) decorateNames(root.current, model, isTopicMentioned);
  });
  useContentEvents(root, messageId);
  return <div ref={root} id={id} className={classes('message-html', isMe && 'message-of-me', className)} dir="auto" />;
}

/** The settings of the account and the organization that messages depend on. */
function useLook(): Look & { readonly times: string } {
  const { model } = useApp();
  useChanges(model.account.changes);
  const { web_animate_image_previews: animation, emojiset, twenty_four_hour_time } = model.account.settings;
  return {
    playgrounds: model.organization.playgrounds,
    animation: animation ?? 'on_hover',
    isEmojiText: emojiset === 'text',
    emoji: model.emoji,
    times: String(twenty_four_hour_time),
  };
}

/** The text of an action begins with the command. */
function removeMe(fragment: DocumentFragment): void {
  const first = fragment.querySelector('p')?.firstChild;
  if (first?.nodeType === Node.TEXT_NODE) first.textContent = (first.textContent ?? '').replace(/^\/me\s+/, '');
}
