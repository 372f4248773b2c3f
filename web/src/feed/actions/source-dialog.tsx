import { type ReactNode, useEffect, useState } from 'react';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useApp } from '../../shell/app.tsx';
import { t } from '../../shell/i18n.ts';
import { copy, sourceOf } from './copying.ts';
import type { MessageDialogProps } from './dialog-props.ts';
import styles from './dialogs.module.css';
import { problemText } from './problem-text.ts';

/** The Markdown of a message, for those who cannot edit it. */
export default function SourceDialog({ record, onClose }: MessageDialogProps): ReactNode {
  const app = useApp();
  const [source, setSource] = useState<string>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isOpen = true;
    sourceOf(app, record.id).then(
      (text) => isOpen && setSource(text),
      (problem: unknown) => isOpen && setError(problemText(problem)),
    );
    return () => {
      isOpen = false;
    };
  }, [app, record.id]);
  return (
    <Dialog
      title={t('Source of the message')}
      isOpen
      onOpenChange={onClose}
      isDismissable
      footer={
        source !== undefined && <Button onPress={() => void copy(source, t('Text copied'))}>{t('Copy text')}</Button>
      }
    >
      {error !== undefined && <Banner kind="error">{error}</Banner>}
      {source === undefined && error === undefined && <Skeleton count={3} />}
      {source !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable.
        <section className={styles.source} tabIndex={0} aria-label={t('Source of the message')}>
          {source}
        </section>
      )}
    </Dialog>
  );
}
