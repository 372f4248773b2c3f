import type { Playground } from '@heddle/client/calls/types.ts';
import { t } from '../base/i18n.ts';
import { element, icon } from './nodes.ts';
import { playgroundUrl } from './playground-url.ts';

/** Adds the language, a button to copy, and links to the playgrounds of the language to each block of code. */
export function decorateCode(root: ParentNode, playgrounds: readonly Playground[]): void {
  for (const block of root.querySelectorAll<HTMLElement>('.codehilite')) {
    const pre = block.querySelector('pre');
    if (pre === null) continue;
    const language = block.dataset.codeLanguage;
    // The keyboard can scroll it.
    pre.tabIndex = 0;
    pre.setAttribute('role', 'group');
    pre.setAttribute('aria-label', language === undefined ? t('Code') : t('Code, {language}', { language }));
    block.append(toolsOf(block, language, playgrounds));
  }
}

function toolsOf(block: HTMLElement, language: string | undefined, playgrounds: readonly Playground[]): HTMLElement {
  const tools = element('div', { class: 'code-tools' });
  for (const { name, pygments_language, url_template } of playgrounds) {
    if (pygments_language !== language) continue;
    const href = playgroundUrl(url_template, codeOf(block));
    if (href === undefined) continue;
    const label = t('View in {name}', { name });
    const link = element('a', { class: 'code-tool', href, title: label, 'aria-label': label }, icon('external'));
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
    tools.append(link);
  }
  const label = t('Copy code');
  const copy = element(
    'button',
    { type: 'button', class: 'code-tool', title: label, 'aria-label': label },
    icon('copy'),
  );
  copy.dataset.action = 'copy-code';
  tools.append(copy);
  // At the edge, so that it does not move when the buttons appear.
  if (language !== undefined) {
    tools.append(element('span', { class: 'code-language', 'aria-hidden': 'true' }, language));
  }
  return tools;
}

/** The text of a block of code, without the newline at its end. */
export function codeOf(block: HTMLElement): string {
  return (block.querySelector('code')?.textContent ?? '').replace(/\n$/, '');
}

/** How long the check mark shows that the text was copied. */
const DONE_MS = 2000;

/** Copies the code of the block that contains the button. */
export async function copyCode(button: HTMLElement): Promise<boolean> {
  const block = button.closest<HTMLElement>('.codehilite');
  if (block === null) return false;
  try {
    await navigator.clipboard.writeText(codeOf(block));
  } catch {
    return false;
  }
  button.replaceChildren(icon('check'));
  button.setAttribute('aria-label', t('Copied'));
  setTimeout(() => {
    button.replaceChildren(icon('copy'));
    button.setAttribute('aria-label', t('Copy code'));
  }, DONE_MS);
  return true;
}
