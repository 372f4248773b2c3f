import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { Dialog } from '../design/dialog.tsx';
import styles from './install-steps.module.css';

/** How to install the app on a phone of Apple, whose browsers do not ask. */
export function InstallSteps({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={t('Install the app')} isOpen onOpenChange={onClose} isDismissable>
      <ol className={styles.steps}>
        <li className={styles.step}>
          {t('1. Tap “Share” in the bar of the browser.')}
          <ShareButtonPicture />
        </li>
        <li className={styles.step}>
          {t('2. Choose “Add to Home Screen”.')}
          <HomeScreenPicture />
        </li>
      </ol>
    </Dialog>
  );
}

/** The lower end of a browser, with its button for sharing. The text says the same. */
function ShareButtonPicture(): ReactNode {
  return (
    <svg viewBox="0 0 240 96" aria-hidden="true">
      <path className={styles.phone} d="M8.5 0v72a16 16 0 0 0 16 16h191a16 16 0 0 0 16-16V0" />
      <rect className={styles.line} x="24" y="8" width="150" height="8" rx="4" />
      <rect className={styles.line} x="24" y="24" width="110" height="8" rx="4" />
      <path className={styles.bar} d="M9 42h222v30a16 16 0 0 1-16 16H25a16 16 0 0 1-16-16z" />
      <path className={styles.sign} d="M42 58l-7 7 7 7M78 58l7 7-7 7" />
      <path className={styles.sign} d="M114 62h-5v16h22V62h-5M120 72V53m-6 6 6-6 6 6" />
      <rect className={styles.sign} x="154" y="57" width="16" height="18" rx="2" />
      <path className={styles.sign} d="M198 61h14v16h-14zM203 61v-5h14v16h-5" />
      <circle className={styles.ring} cx="120" cy="66" r="20" />
    </svg>
  );
}

/** The list of the system for sharing, with the entry for the home screen. */
function HomeScreenPicture(): ReactNode {
  return (
    <svg viewBox="0 0 240 112" aria-hidden="true">
      <rect className={styles.phone} x="8.5" y="0.5" width="223" height="111" rx="16" />
      <rect className={styles.line} x="28" y="17" width="104" height="8" rx="4" />
      <path className={styles.sign} d="M196 15h12v12h-12z" />
      <path className={styles.bar} d="M16 38h208v36H16z" />
      <rect className={styles.line} x="28" y="52" width="124" height="8" rx="4" />
      <rect className={styles.sign} x="193" y="47" width="18" height="18" rx="4" />
      <path className={styles.sign} d="M202 52v8m-4-4h8" />
      <rect className={styles.line} x="28" y="87" width="84" height="8" rx="4" />
      <path className={styles.sign} d="M196 85h12v12h-12z" />
      <rect className={styles.ring} x="14" y="37" width="212" height="38" rx="8" />
    </svg>
  );
}
