import type { ReactNode } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { EmojiIcon } from '../design/icons.ts';
import { t } from '../shell/i18n.ts';
import type { BoxText } from './box-text.ts';

export function EmojiButton({ text }: { readonly text: BoxText }): ReactNode {
  return <IconButton icon={EmojiIcon} label={t('Emoji')} onPress={() => text.insert(':')} />;
}
