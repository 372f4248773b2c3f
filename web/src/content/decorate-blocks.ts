import { t } from '../base/i18n.ts';
import { element, icon } from './nodes.ts';

/** Tables scroll in a box of their own, so that they keep their meaning as tables. */
export function decorateTables(root: ParentNode): void {
  for (const table of root.querySelectorAll('table')) {
    const box = element('div', { class: 'table-box', role: 'group', 'aria-label': t('Table'), tabindex: '0' });
    table.replaceWith(box);
    box.append(table);
  }
}

/** Spoilers open with a button in their header. A click anywhere in the header works too. */
export function decorateSpoilers(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>('.spoiler-block')) {
    const header = block.querySelector<HTMLElement>(':scope > .spoiler-header');
    if (header === null) continue;
    if (header.textContent?.trim() === '') header.replaceChildren(element('p', {}, t('Spoiler')));
    const button = element('button', { type: 'button', class: 'spoiler-button' }, icon('chevron'));
    button.dataset.action = 'toggle-spoiler';
    header.prepend(button);
    openSpoiler(block, false);
  }
}

export function isSpoilerOpen(block: HTMLElement): boolean {
  return block.dataset.open !== undefined;
}

export function openSpoiler(block: HTMLElement, isOpen: boolean): void {
  const header = block.querySelector<HTMLElement>(':scope > .spoiler-header');
  const button = header?.querySelector<HTMLElement>(':scope > .spoiler-button');
  const content = block.querySelector<HTMLElement>(':scope > .spoiler-content');
  if (header === null || content === null) return;
  if (isOpen) block.dataset.open = '';
  else delete block.dataset.open;
  content.ariaHidden = isOpen ? null : 'true';
  const title = header.textContent?.trim() ?? '';
  button?.setAttribute('aria-expanded', String(isOpen));
  button?.setAttribute('aria-label', isOpen ? t('Hide: {title}', { title }) : t('Show: {title}', { title }));
}

/** The spoilers of a message that are open, by their number. So they stay open when the message changes. */
export function openSpoilersOf(root: ParentNode): ReadonlySet<number> {
  const blocks = [...root.querySelectorAll<HTMLElement>('.spoiler-block')];
  return new Set(blocks.flatMap((block, index) => (isSpoilerOpen(block) ? [index] : [])));
}

export function reopenSpoilers(root: ParentNode, open: ReadonlySet<number>): void {
  for (const [index, block] of root.querySelectorAll<HTMLElement>('.spoiler-block').entries()) {
    if (open.has(index)) openSpoiler(block, true);
  }
}
