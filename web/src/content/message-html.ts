import DOMPurify, { type Config } from 'dompurify';
import { applyStyles, STYLE_ATTRIBUTE } from './formula-styles.ts';

/**
 * The one place where the HTML of messages enters the document. The server has rendered and escaped it. This sanitizes it
 * again, so that a fault of the server or of a proxy runs nothing in the browser.
 */

/** What the server's Markdown renders, and what the differences of edits and highlighted matches add. */
const HTML = [
  ...['p', 'br', 'hr', 'strong', 'em', 'b', 'i', 'u', 'del', 's', 'ins', 'sub', 'sup', 'small', 'code', 'pre', 'span'],
  ...['blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'time', 'a', 'img', 'audio', 'video'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

/** The elements of formulas: MathML for screen readers, and lines and curves. */
const FORMULAS = [
  ...['math', 'semantics', 'annotation', 'mrow', 'mi', 'mo', 'mn', 'mtext', 'ms', 'mspace', 'msup', 'msub', 'msubsup'],
  ...['munder', 'mover', 'munderover', 'mfrac', 'msqrt', 'mroot', 'mtable', 'mtr', 'mtd', 'mlabeledtr', 'mstyle'],
  ...['mpadded', 'menclose', 'mphantom', 'svg', 'path', 'line'],
];

/** Attributes beyond `data-…` and `aria-…`. None of them can run code, cover the app, or take the focus. */
const ATTRIBUTES = [
  ...['class', 'href', 'src', 'alt', 'title', 'role', 'start', 'datetime', 'controls', 'preload'],
  ...['xmlns', 'display', 'encoding', 'mathvariant', 'stretchy', 'fence', 'separator', 'lspace', 'rspace', 'minsize'],
  ...['maxsize', 'symmetric', 'linebreak', 'accent', 'accentunder', 'linethickness', 'rowspacing', 'columnspacing'],
  ...[
    'columnalign',
    'columnlines',
    'rowlines',
    'side',
    'width',
    'height',
    'depth',
    'voffset',
    'scriptlevel',
    'notation',
  ],
  ...['displaystyle', 'mathcolor', 'mathbackground', 'mathsize', 'largeop', 'movablelimits', 'form'],
  ...['viewBox', 'preserveAspectRatio', 'd', 'x1', 'y1', 'x2', 'y2', 'stroke-width'],
];

const CONFIG = {
  RETURN_DOM_FRAGMENT: true as const,
  ALLOWED_TAGS: [...HTML, ...FORMULAS],
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOWED_URI_REGEXP: /^(?:(?:https?|ftp|mailto|tel|sms|bitcoin):|(?![a-z][a-z0-9+.-]*:))/i,
  ALLOW_UNKNOWN_PROTOCOLS: false,
} satisfies Config & { RETURN_DOM_FRAGMENT: true };

const MAX_CACHED_MESSAGES = 400;

/** Sanitized fragments, by their HTML. The order of the entries is the order of use. */
const cache = new Map<string, DocumentFragment>();

/** Returns new nodes for the HTML of a message. */
export function messageFragment(html: string): DocumentFragment {
  const known = cache.get(html);
  const fragment = known ?? sanitized(html);
  cache.delete(html);
  cache.set(html, fragment);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_MESSAGES && oldest !== undefined) cache.delete(oldest);
  const copy = document.importNode(fragment, true);
  applyStyles(copy);
  return copy;
}

/** The attribute of `fragmentToRead` with the styles of an element, which have no effect there. */
export const READ_STYLE = 'data-style';

/** Sanitized nodes of HTML from elsewhere, such as the clipboard. They are only read, and never enter the document. */
export function fragmentToRead(html: string): DocumentFragment {
  // The policy of the page would report handlers and styles before they are removed.
  const inert = html.replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\s(on[a-z]+|style)\s*=/gi, ' data-$1='));
  return DOMPurify.sanitize(inert, CONFIG);
}

/** Forgets all messages, for example after a logout. */
export function forgetMessageHtml(): void {
  cache.clear();
}

function sanitized(html: string): DocumentFragment {
  // Texts contain no angle brackets, so this pattern finds attributes only. Other style attributes do not survive.
  const withoutStyles = html.replace(/(<[a-z][^<>]*?) style="/gi, `$1 ${STYLE_ATTRIBUTE}="`);
  const fragment = DOMPurify.sanitize(withoutStyles, CONFIG);
  for (const link of fragment.querySelectorAll('a')) prepareLink(link);
  return fragment;
}

/** Links into the organization stay in the app: the browser then only changes the fragment of the page. Others open a tab. */
function prepareLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href');
  if (href === null) return;
  const hash = fragmentOfApp(href);
  if (hash !== undefined) {
    link.setAttribute('href', hash);
    return;
  }
  // Older messages contain paths without the slash at the beginning.
  if (href.startsWith('user_uploads/')) link.setAttribute('href', `/${href}`);
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
}

/** The fragment of a link to a view of the app, for example `#narrow/channel/5-design`. Undefined for other links. */
function fragmentOfApp(href: string): string | undefined {
  if (href.startsWith('#')) return href;
  if (href.startsWith('/#')) return href.slice(1);
  const { origin } = window.location;
  return href.startsWith(`${origin}/#`) ? href.slice(origin.length + 1) : undefined;
}
