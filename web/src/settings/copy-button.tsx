import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { Button } from '../design/button.tsx';
import { CopyIcon } from '../design/icons.ts';

interface CopyButtonProps {
  readonly label: string;
  readonly text: string;
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ label, text }: CopyButtonProps): ReactNode {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show({ text: t('Copied') });
    } catch {
      toasts.show({ text: t('The browser does not allow copying. Select the text instead.'), kind: 'error' });
    }
  };
  return (
    <Button size="small" icon={CopyIcon} onPress={() => void copy()}>
      {label}
    </Button>
  );
}
