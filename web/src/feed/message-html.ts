import DOMPurify, { type Config } from 'dompurify';

/**
 * The one place where the HTML of messages enters the document. The server has rendered and escaped it. This sanitizes it
 * again, so that a fault of the server or of a proxy runs nothing in the browser.
 */

/** The elements that the server's Markdown renders. MathML is what formulas contain for screen readers. */
const CONFIG = {
  RETURN_DOM_FRAGMENT: true as const,
  USE_PROFILES: { html: true, mathMl: true, svg: false },
  ADD_TAGS: ['time'],
  ADD_ATTR: ['datetime', 'target'],
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'option', 'dialog', 'template', 'iframe'],
  FORBID_ATTR: ['id', 'name', 'autofocus', 'contenteditable', 'popover', 'popovertarget', 'is', 'slot'],
  ALLOW_UNKNOWN_PROTOCOLS: false,
} satisfies Config & { RETURN_DOM_FRAGMENT: true };

/** The CSS properties in formulas. Others, such as `position`, could cover the app. */
const FORMULA_PROPERTIES = new Set([
  'height',
  'width',
  'min-width',
  'top',
  'vertical-align',
  'margin-left',
  'margin-right',
  'margin-top',
  'padding-left',
  'border-bottom-width',
  'border-top-width',
  'border-right-width',
  'border-width',
  'color',
]);

/** The policy of the page forbids style attributes. So they travel under this name, and become single properties. */
const STYLE_ATTRIBUTE = 'data-formula-style';

const MAX_CACHED = 400;

/** Sanitized fragments, by their HTML. The order of the entries is the order of use. */
const cache = new Map<string, DocumentFragment>();

/** Returns new nodes for the HTML of a message. */
export function messageFragment(html: string): DocumentFragment {
  const known = cache.get(html);
  const fragment = known ?? sanitized(html);
  cache.delete(html);
  cache.set(html, fragment);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return copyOf(fragment);
}

function sanitized(html: string): DocumentFragment {
  // Texts contain no angle brackets, so this pattern finds attributes only.
  const withoutStyles = html.replace(/(<[a-z][^<>]*?) style="/gi, `$1 ${STYLE_ATTRIBUTE}="`);
  return DOMPurify.sanitize(withoutStyles, CONFIG);
}

function copyOf(fragment: DocumentFragment): DocumentFragment {
  const copy = document.importNode(fragment, true);
  for (const element of copy.querySelectorAll<HTMLElement>(`.katex [${STYLE_ATTRIBUTE}]`)) {
    const style = element.getAttribute(STYLE_ATTRIBUTE) ?? '';
    for (const declaration of style.split(';')) {
      const [property = '', value = ''] = declaration.split(':');
      if (FORMULA_PROPERTIES.has(property.trim())) element.style.setProperty(property.trim(), value.trim());
    }
  }
  for (const link of copy.querySelectorAll('a')) {
    // Links of the app's own fragments are followed by the app.
    if (link.getAttribute('href')?.startsWith('#')) continue;
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return copy;
}

/** Forgets all messages, for example after a logout. */
export function forgetMessageHtml(): void {
  cache.clear();
}
