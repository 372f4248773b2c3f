import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { useShortcut } from '../base/keyboard-react.tsx';
import { lazyComponent } from '../base/load-code.ts';
import { ContentHandlersProvider } from '../content/handlers.tsx';
import { OPEN_MEDIA } from '../content/lightbox-shortcuts.ts';
import type { LightboxTarget } from '../content/lightbox-target.ts';

const Lightbox = lazyComponent(() => import('../content/lightbox/lightbox.tsx'));

/** Opens the pictures and films of all messages below in a lightbox. */
export function LightboxHost({ children }: { readonly children: ReactNode }): ReactNode {
  const [target, setTarget] = useState<LightboxTarget>();
  const close = useCallback(() => setTarget(undefined), []);
  useShortcut(OPEN_MEDIA, openFirstOfFocused);
  return (
    <ContentHandlersProvider openLightbox={setTarget}>
      {children}
      {target !== undefined && (
        <Suspense fallback={null}>
          <Lightbox key={`${target.messageId} ${target.href}`} target={target} onClose={close} />
        </Suspense>
      )}
    </ContentHandlersProvider>
  );
}

/** Opens the first picture of the message with the focus. */
function openFirstOfFocused(): boolean {
  const message = document.activeElement?.closest('[data-message-id]');
  const media = message?.querySelector<HTMLElement>('[data-action="open-media"]');
  media?.focus();
  media?.click();
  return media !== undefined && media !== null;
}
