import type { ReactNode } from 'react';
import { copy, sourceOf } from '../../actions/copying.ts';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import type { MessageDialogProps } from './dialog-props.ts';
import styles from './dialogs.module.css';
import { useFetched } from './use-fetched.ts';

/** The Markdown of a message, for those who cannot edit it. */
export default function SourceDialog({ record, onClose }: MessageDialogProps): ReactNode {
  const app = useApp();
  const { value: source, problem } = useFetched(() => sourceOf(app, record.id), `${record.id} ${record.editedAt}`);
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
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {source === undefined && problem === undefined && <Skeleton count={3} />}
      {source !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable.
        <section className={styles.source} tabIndex={0} aria-label={t('Source of the message')}>
          {source}
        </section>
      )}
    </Dialog>
  );
}
