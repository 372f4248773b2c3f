import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './gallery.module.css';
import { MESSAGE_HTML } from './message-sample.ts';

/** Everything that a message can contain, parsed without scripts, because the policy of the page requires trusted HTML. */
export function MessagePage(): ReactNode {
  const message = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const policy = (window as { trustedTypes?: TrustedTypePolicyFactory }).trustedTypes?.createPolicy('gallery', {
      createHTML: (html) => html,
    });
    const parsed = new DOMParser().parseFromString(
      (policy?.createHTML(MESSAGE_HTML) ?? MESSAGE_HTML) as string,
      'text/html',
    );
    // A strict policy refuses style attributes of HTML, and allows the same through the object model.
    for (const element of parsed.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style ?? '';
    }
    for (const element of parsed.querySelectorAll<HTMLElement>('pre, table')) element.tabIndex = 0;
    message.current?.replaceChildren(...parsed.body.childNodes);
  }, []);
  return (
    <div className={styles.scroll}>
      <main className={styles.samples}>
        <h1>Message</h1>
        <div className="message-html" ref={message} />
      </main>
    </div>
  );
}

interface TrustedTypePolicyFactory {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): unknown };
}
