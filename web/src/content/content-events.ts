import { type RefObject, useLayoutEffect, useRef } from 'react';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { isSpoilerOpen, openSpoiler } from './decorate-blocks.ts';
import { copyCode } from './decorate-code.ts';
import { type ContentHandlers, useContentHandlers } from './handlers.tsx';
import { mediaOf } from './media.ts';

/** Handles clicks and keys in a message with one listener per type, because its nodes are not components. */
export function useContentEvents(root: RefObject<HTMLElement | null>, messageId: number | undefined): void {
  const handlers = useContentHandlers();
  const latest = useRef({ handlers, messageId });
  latest.current = { handlers, messageId };
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || !(event.target instanceof Element)) return;
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      const { handlers: current, messageId: id } = latest.current;
      if (press(event.target, element, current, { isPlain, messageId: id })) event.preventDefault();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLElement) || (event.key !== 'Enter' && event.key !== ' ')) return;
      if (event.target.getAttribute('role') !== 'button') return;
      event.preventDefault();
      event.target.click();
    };
    const onHover = (event: PointerEvent) => moveOnHover(event.target, event.type === 'pointerover');
    // Errors of pictures do not bubble.
    element.addEventListener('error', markBroken, true);
    element.addEventListener('click', onClick);
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('pointerover', onHover);
    element.addEventListener('pointerout', onHover);
    return () => {
      element.removeEventListener('error', markBroken, true);
      element.removeEventListener('click', onClick);
      element.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('pointerover', onHover);
      element.removeEventListener('pointerout', onHover);
    };
  }, [root]);
}

interface Press {
  /** Without keys that open links elsewhere. */
  readonly isPlain: boolean;
  readonly messageId: number | undefined;
}

/** Does what a press on a node means. Returns false if the browser shall act. */
function press(target: Element, root: HTMLElement, handlers: ContentHandlers, { isPlain, messageId }: Press): boolean {
  const action = target.closest<HTMLElement>('[data-action]');
  if (action?.dataset.action === 'copy-code') {
    void copyCode(action).then((isCopied) => {
      if (!isCopied) toasts.show({ text: t('The browser did not allow to copy.'), kind: 'error', key: 'copy' });
    });
    return true;
  }
  if (action?.dataset.action === 'open-media') {
    const href = action.getAttribute('href') ?? '';
    if (!isPlain || handlers.openLightbox === undefined) return false;
    handlers.openLightbox({ messageId, href, media: mediaOf(root) });
    return true;
  }
  const mention = target.closest<HTMLElement>('.user-mention, .user-group-mention');
  if (mention !== null) return pressMention(mention, handlers);
  const header = target.closest<HTMLElement>('.spoiler-header');
  if (header !== null && target.closest('a, [role=button]') === null) {
    const block = header.parentElement;
    if (block !== null) openSpoiler(block, !isSpoilerOpen(block));
    return true;
  }
  return false;
}

function pressMention(mention: HTMLElement, handlers: ContentHandlers): boolean {
  if (mention.getAttribute('role') !== 'button') return false;
  const { userId, userGroupId } = mention.dataset;
  if (userId !== undefined) handlers.openUser(Number(userId), mention);
  else handlers.openGroup(Number(userGroupId), mention);
  return true;
}

/** Shows the moving picture while the pointer is on it. */
function moveOnHover(target: EventTarget | null, isOver: boolean): void {
  if (!(target instanceof Element)) return;
  const image = target.closest('.message_inline_image')?.querySelector<HTMLImageElement>('img[data-moves-on-hover]');
  const source = isOver ? image?.dataset.moving : image?.dataset.still;
  if (source !== undefined && image?.getAttribute('src') !== source) image?.setAttribute('src', source);
}

/** A picture that cannot be loaded becomes a link with its name. */
function markBroken({ target }: Event): void {
  if (target instanceof HTMLImageElement) target.closest('.message_inline_image')?.classList.add('is-broken');
}
