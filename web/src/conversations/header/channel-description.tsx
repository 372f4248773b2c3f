import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { messageFragment } from '../../content/message-html.ts';
import styles from './header.module.css';

/** The description of a channel, in one line. */
export function ChannelDescription({ html }: { html: string }): ReactNode {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const fragment = messageFragment(html);
    element.current?.replaceChildren(fragment);
  }, [html]);
  return <span ref={element} className={styles.description} />;
}
