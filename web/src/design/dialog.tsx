import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { t } from '../base/i18n.ts';
import { useBackCloses } from '../base/overlay-history.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import styles from './dialog.module.css';
import { useFocusReturn } from './focus-return.ts';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons.ts';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  /** Buttons: the main action last. */
  footer?: ReactNode;
  /** The width: 26, 36 or 56 rem. Medium and large dialogs fill the screen of a phone. */
  size?: 'small' | 'medium' | 'large';
  /** Whether a click outside closes it. Leave it out if that would lose what the user typed. */
  isDismissable?: boolean;
  /** Asks for a decision, so screen readers read its content at once. */
  isAlert?: boolean;
  /** Leaves out the space around the content. */
  isFlush?: boolean;
}

/** A modal dialog. The focus moves into it, stays in it, and returns. Escape and the browser's back button close it. */
export function Dialog({
  title,
  isOpen,
  onOpenChange,
  children,
  footer,
  size = 'medium',
  isDismissable = false,
  isAlert,
  isFlush,
}: DialogProps): ReactNode {
  useBackCloses(isOpen, () => onOpenChange(false));
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable}
      className={styles.overlay ?? ''}
    >
      <Modal className={classes(styles.modal, styles[size])}>
        <AriaDialog
          className={styles.dialog ?? ''}
          role={isAlert ? 'alertdialog' : 'dialog'}
          data-keyboard-scope="dialog"
        >
          <header className={styles.header}>
            <Heading slot="title" level={2} className={styles.title ?? ''}>
              {title}
            </Heading>
            <IconButton icon={CloseIcon} label={t('Close')} slot="close" hasTooltip={false} />
          </header>
          <FocusReturn />
          <div className={classes(styles.body, !isFlush && styles.padded)}>{children}</div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** It goes when the closed dialog has disappeared. */
function FocusReturn(): ReactNode {
  useFocusReturn();
  return null;
}

export interface ConfirmDialogProps extends Pick<DialogProps, 'title' | 'isOpen' | 'onOpenChange'> {
  /** What will happen. */
  children: ReactNode;
  /** The action as a verb: `Delete message`, not `OK`. */
  confirmLabel: string;
  onConfirm: () => void;
  isDanger?: boolean;
  isPending?: boolean;
  /** Why the action failed. */
  error?: string | undefined;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({
  children,
  confirmLabel,
  onConfirm,
  isDanger,
  isPending = false,
  error,
  ...props
}: ConfirmDialogProps): ReactNode {
  const footer = (
    <>
      <Button onPress={() => props.onOpenChange(false)} autoFocus>
        {t('Cancel')}
      </Button>
      <Button kind={isDanger ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog {...props} size="small" isAlert footer={footer}>
      {children}
      {error !== undefined && <Banner kind="error">{error}</Banner>}
    </Dialog>
  );
}
