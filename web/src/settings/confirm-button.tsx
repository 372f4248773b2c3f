import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from '../design/button.tsx';
import { ConfirmDialog } from '../design/dialog.tsx';
import { useAction } from './saving.ts';

interface ConfirmButtonProps extends Pick<ButtonProps, 'icon' | 'size' | 'isDisabled' | 'kind'> {
  /** The text of the button, and of the button that confirms. */
  readonly label: string;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly run: () => Promise<unknown>;
  readonly isDanger?: boolean;
}

/** A button that asks before it acts. The dialog shows why the action failed. */
export function ConfirmButton({
  label,
  title,
  children,
  run,
  isDanger = true,
  ...props
}: ConfirmButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const confirm = async () => {
    if (await action.run(run)) setOpen(false);
  };
  return (
    <>
      <Button {...props} onPress={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        title={title}
        isOpen={isOpen}
        onOpenChange={setOpen}
        confirmLabel={label}
        onConfirm={() => void confirm()}
        isDanger={isDanger}
        isPending={action.isPending}
        error={action.problem}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
