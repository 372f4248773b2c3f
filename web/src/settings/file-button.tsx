import { type ReactNode, useRef } from 'react';
import { Button } from '../design/button.tsx';

interface FileButtonProps {
  /** What the file is for, which names the hidden field. */
  readonly label: string;
  readonly children: ReactNode;
  readonly onChoose: (file: File) => void;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
}

/** A button that asks for a picture of the types that the server accepts. */
export function PictureButton(props: FileButtonProps): ReactNode {
  return <FileButton {...props} accept="image/png,image/jpeg,image/gif,image/webp,image/avif" />;
}

/** A button that asks for a file. */
export function FileButton({
  label,
  children,
  onChoose,
  accept,
  ...props
}: FileButtonProps & { readonly accept?: string }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again.
          target.value = '';
          if (file !== undefined) onChoose(file);
        }}
      />
      <Button {...props} onPress={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
