import { type ReactNode, useRef, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { EmojiIcon } from '../../design/icons.ts';
import type { BoxText } from '../text/box-text.ts';

const EmojiPopover = lazyPart(async () => ({ default: (await import('../../emoji/emoji-picker.tsx')).EmojiPopover }));

/** Inserts emoji from the picker. */
export function EmojiButton({ text }: { readonly text: BoxText }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (isNowOpen: boolean): void => {
    setOpen(isNowOpen);
    // The popover gives the focus to the button first.
    if (!isNowOpen) requestAnimationFrame(() => text.focus());
  };
  return (
    <>
      <IconButton ref={button} icon={EmojiIcon} label={t('Emoji')} onPress={() => setOpen(true)} />
      {isOpen && (
        <EmojiPopover
          isOpen
          onOpenChange={close}
          triggerRef={button}
          placement="top start"
          hasTones
          onPick={(emoji) => text.insertWord(`${emoji.text} `)}
        />
      )}
    </>
  );
}
