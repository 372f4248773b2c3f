import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { t } from '../base/i18n.ts';
import { useBackCloses } from '../base/overlay-history.ts';
import { classes } from './classes.ts';
import dialogStyles from './dialog.module.css';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons.ts';
import styles from './sheet.module.css';

export interface SheetProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  /** The edge from which it comes. `bottom` is for phones: the actions of a message, a picker. */
  side?: 'left' | 'right' | 'bottom';
}

/** A modal panel at an edge of the screen. A click outside, Escape and the browser's back button close it. */
export function Sheet({ title, isOpen, onOpenChange, children, side = 'bottom' }: SheetProps): ReactNode {
  useBackCloses(isOpen, () => onOpenChange(false));
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className={classes(dialogStyles.overlay, styles.overlay)}
    >
      <Modal className={classes(styles.sheet, styles[side])}>
        <AriaDialog className={dialogStyles.dialog ?? ''} data-keyboard-scope="dialog">
          <header className={dialogStyles.header}>
            <Heading slot="title" level={2} className={dialogStyles.title ?? ''}>
              {title}
            </Heading>
            <IconButton icon={CloseIcon} label={t('Close')} slot="close" hasTooltip={false} />
          </header>
          <div className={classes(dialogStyles.body, dialogStyles.padded)}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
