import { renderMessage } from '@heddle/client/calls/operations.ts';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { MessageHtml } from '../../content/message-html-view.tsx';
import { Banner } from '../../design/banner.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { problemText } from '../../shown/problem-text.ts';
import styles from '../compose.module.css';
import type { LiveSession } from '../drafts/live-sessions.ts';

interface PreviewProps {
  readonly content: string;
  readonly element: RefObject<HTMLElement | null>;
}

/** The text as others will see it. The server renders it. */
export function Preview({ content, element }: PreviewProps): ReactNode {
  const { connection } = useApp();
  const [result, setResult] = useState<{ readonly html?: string; readonly problem?: string }>({});
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    renderMessage(connection, { content }, { signal }).then(
      ({ rendered }) => setResult({ html: rendered }),
      (error: unknown) => !signal.aborted && setResult({ problem: problemText(error) }),
    );
    return () => ending.abort();
  }, [connection, content]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll a long preview
    <section ref={element} className={styles.preview} aria-label={t('Preview')} tabIndex={0}>
      {result.problem !== undefined && <Banner kind="error">{result.problem}</Banner>}
      {result.html !== undefined && <MessageHtml html={result.html} />}
      {result.html === undefined && result.problem === undefined && <Spinner label={t('Rendering')} />}
    </section>
  );
}

/**
 * Keeps the focus in the box when the preview takes the place of the text or gives it back. Otherwise the element that
 * disappears takes the focus with it, and the next shortcut reaches nothing.
 * @returns for the element of the preview
 */
export function usePreviewFocus(session: LiveSession, isPreviewing: boolean): RefObject<HTMLElement | null> {
  const preview = useRef<HTMLElement>(null);
  const before = useRef({ session, isPreviewing });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { session, isPreviewing };
    if (last.session !== session || last.isPreviewing === isPreviewing) return;
    if (document.activeElement !== document.body) return;
    if (isPreviewing) preview.current?.focus();
    else session.text.focus();
  }, [session, isPreviewing]);
  return preview;
}
