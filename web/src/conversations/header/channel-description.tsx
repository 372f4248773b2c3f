import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useModel } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { decorateEmoji } from '../../content/decorate-emoji.ts';
import { messageFragment } from '../../content/message-html.ts';
import styles from './header.module.css';

/** The description of a channel, in one line. */
export function ChannelDescription({ html }: { html: string }): ReactNode {
  const { account } = useModel();
  useChanges(account.changes);
  const isEmojiText = account.settings.emojiset === 'text';
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const fragment = messageFragment(html);
    decorateEmoji(fragment, isEmojiText);
    element.current?.replaceChildren(fragment);
  }, [html, isEmojiText]);
  return <span ref={element} className={styles.description} />;
}
