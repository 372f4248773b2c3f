import { type ReactNode, useRef } from 'react';
import { t } from '../base/i18n.ts';
import { IconButton } from '../design/icon-button.tsx';
import { MoreIcon } from '../design/icons.ts';
import { type MenuTarget, openMenuBeside } from './menu-store.ts';

interface Props {
  readonly subject: MenuTarget;
  readonly size?: 'small' | 'medium';
}

/** The button that opens the menu of a topic or channel. */
export function TargetMenuButton({ subject, size = 'medium' }: Props): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <IconButton
      ref={button}
      icon={MoreIcon}
      label={subject.kind === 'channel' ? t('Channel actions') : t('Topic actions')}
      size={size}
      placement="bottom"
      aria-haspopup="menu"
      onPress={() => button.current !== null && openMenuBeside(subject, button.current)}
    />
  );
}
