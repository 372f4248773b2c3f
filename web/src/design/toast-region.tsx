import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../base/i18n.ts';
import { durationOf, type Toast, toasts } from '../base/toasts.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CloseIcon, ErrorIcon } from './icons.ts';
import styles from './toast-region.module.css';

/**
 * Shows the notices of `toasts`. Render it once. Screen readers read new notices when they have time. Time stands still while
 * the pointer or the focus is in the region.
 */
export function ToastRegion(): ReactNode {
  useSyncExternalStore(toasts.changes.subscribe, toasts.changes.read);
  const [isPaused, setPaused] = useState(false);
  return (
    <section
      aria-label={t('Notices')}
      className={styles.region}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <div role="log" aria-live="polite" aria-relevant="additions text" className={styles.log}>
        <ol className={styles.list}>
          {toasts.list.map((toast) => (
            <ToastItem key={toast.id} toast={toast} isPaused={isPaused} />
          ))}
        </ol>
      </div>
    </section>
  );
}

function ToastItem({ toast, isPaused }: { toast: Toast; isPaused: boolean }): ReactNode {
  const duration = durationOf(toast);
  useEffect(() => {
    if (duration === undefined || isPaused) return;
    const timer = setTimeout(() => toasts.dismiss(toast.id), duration);
    return () => clearTimeout(timer);
  }, [duration, isPaused, toast.id]);
  const { action } = toast;
  return (
    <li className={styles.toast}>
      {toast.kind === 'error' && <ErrorIcon aria-hidden="true" className={styles.error} />}
      <span className={styles.text}>{toast.text}</span>
      {action && (
        <Button
          kind="quiet"
          size="small"
          onPress={() => {
            toasts.dismiss(toast.id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        icon={CloseIcon}
        label={t('Dismiss')}
        size="small"
        onPress={() => toasts.dismiss(toast.id)}
        hasTooltip={false}
      />
    </li>
  );
}
