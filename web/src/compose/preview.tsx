import { renderMessage } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Banner } from '../design/banner.tsx';
import { Spinner } from '../design/spinner.tsx';
import { MessageHtml } from '../feed/content/message-html-view.tsx';
import { useApp } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import styles from './compose.module.css';
import { problemOf } from './problems.ts';

/** The text as others will see it. The server renders it. */
export function Preview({ content }: { readonly content: string }): ReactNode {
  const { connection } = useApp();
  const [result, setResult] = useState<{ readonly html?: string; readonly problem?: string }>({});
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    renderMessage(connection, { content }, { signal }).then(
      ({ rendered }) => setResult({ html: rendered }),
      (error: unknown) => !signal.aborted && setResult({ problem: problemOf(error) }),
    );
    return () => ending.abort();
  }, [connection, content]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll a long preview
    <section className={styles.preview} aria-label={t('Preview')} tabIndex={0}>
      {result.problem !== undefined && <Banner kind="error">{result.problem}</Banner>}
      {result.html !== undefined && <MessageHtml html={result.html} />}
      {result.html === undefined && result.problem === undefined && <Spinner label={t('Rendering')} />}
    </section>
  );
}
