import { type ReactNode, Suspense, useRef, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { lazyComponent } from '../../base/load-code.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { MoreIcon } from '../../design/icons.ts';
import type { ToolMenuProps } from './tool-dialogs.tsx';

const MoreMenu = lazyComponent(() => import('./more-menu.tsx'));

/** The button of the menu of the tools that have no button of their own. The menu loads when it first opens. */
export function MoreTools(props: ToolMenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  const open = (): void => {
    if (button.current === null) return;
    const { left, top, bottom } = button.current.getBoundingClientRect();
    // In the lower half of the window, the menu opens upwards.
    setAt({ x: left, y: 2 * top > window.innerHeight ? top : bottom });
  };
  return (
    <>
      <IconButton
        ref={button}
        icon={MoreIcon}
        label={t('More tools')}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        onPress={open}
      />
      {at !== undefined && (
        <Suspense fallback={null}>
          <MoreMenu {...props} at={at} onClose={() => setAt(undefined)} />
        </Suspense>
      )}
    </>
  );
}
