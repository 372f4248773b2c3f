import type { ReactNode } from 'react';
import styles from './gallery.module.css';
import { MESSAGE_HTML } from './message-sample.ts';

/** The policy of the page requires trusted HTML. */
const trusted = window.trustedTypes?.createPolicy('gallery', { createHTML: (html) => html }).createHTML(MESSAGE_HTML);

/** Everything that a message can contain. The sample is part of the bundle, so it needs no sanitizer. */
export function MessagePage(): ReactNode {
  return (
    <div className={styles.scroll}>
      <main className={styles.samples}>
        <h1>Message</h1>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the sample is a constant. */}
        <div
          className="message-html"
          dangerouslySetInnerHTML={{ __html: (trusted as string | undefined) ?? MESSAGE_HTML }}
        />
      </main>
    </div>
  );
}
