import type { ReactNode } from 'react';
import { HelpLinks } from './help-links.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';

/** The shortcuts, with links to the pages of the help. */
export default function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <KeyboardHelp isOpen onOpenChange={onClose}>
      <HelpLinks onFollow={onClose} />
    </KeyboardHelp>
  );
}
