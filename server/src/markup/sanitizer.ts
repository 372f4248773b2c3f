import { isAllowedHref } from './link-urls.ts';
import { type Attributes, FORMULA_ELEMENTS, FORMULA_VOID } from './tex-dialect.ts';

/**
 * The last check of the HTML: an allow-list of every element, attribute and value that a message may contain. It does not depend on the
 * parser or the renderer and trusts neither. It does not repair. It refuses any HTML that is not exactly of the expected form: lower-case
 * names, quoted values, escaped text, every tag closed in order. The caller then shows the source as plain text.
 */

const ID = /^\d+$/;
const FLAG = /^true$/;
const ANY = /^/;
const CLASS_NAMES =
  /^(?:[a-z][a-z0-9]{0,3}|timestamp-error|tex-error|katex(?:-display)?|emoji emoji-[0-9a-f-]+|(?:user|user-group|topic)-mention(?: silent)?|user-mention channel-wildcard-mention(?: silent)?)$/;
const NONE: Attributes = {};
const CELL: Attributes = { style: /^text-align: (?:left|center|right);$/ };

const ALLOWED: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['p', NONE],
  ['strong', NONE],
  ['em', NONE],
  ['del', NONE],
  ['code', NONE],
  ['pre', NONE],
  ['blockquote', NONE],
  ['ul', NONE],
  ['ol', { start: ID }],
  ['li', NONE],
  ['h1', NONE],
  ['h2', NONE],
  ['h3', NONE],
  ['h4', NONE],
  ['h5', NONE],
  ['h6', NONE],
  ['table', NONE],
  ['thead', NONE],
  ['tbody', NONE],
  ['tr', NONE],
  ['th', CELL],
  ['td', CELL],
  ['time', { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ }],
  [
    'div',
    {
      class:
        /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content|message_inline_image(?: message_inline_video)?|message_embed(?:_title|_description)?|data-container)$/,
      'data-code-language': ANY,
      'aria-hidden': FLAG,
    },
  ],
  [
    'span',
    {
      class: CLASS_NAMES,
      'data-user-id': /^(?:\d+|\*)$/,
      'data-user-group-id': ID,
      'aria-label': ANY,
      title: ANY,
      role: /^img$/,
    },
  ],
  ['audio', { controls: /^$/, preload: /^metadata$/, src: isSafeUploadUrl, title: ANY }],
  ['video', { preload: /^metadata$/, src: isSafeUploadUrl }],
  [
    'a',
    {
      class: /^(?:stream|stream-topic|message-link|message_embed_image)$/,
      href: isSafeAttributeUrl,
      title: ANY,
      'data-stream-id': ID,
      // The image of a link preview, from this server.
      style: /^background-image: url\(&quot;\/external_content\/[\da-f]+\/[\da-f]+&quot;\)$/,
    },
  ],
]);

/** Elements without content, which are never closed. */
const VOID: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['br', NONE],
  ['hr', NONE],
  [
    'img',
    {
      class: /^(?:emoji|image-loading-placeholder)$/,
      alt: ANY,
      title: ANY,
      src: isSafeImageUrl,
      'data-animated': FLAG,
      'data-original-content-type': /^image\/[a-z0-9.+-]+$/,
      'data-original-dimensions': /^\d+x\d+$/,
      'data-transcoded-image': /^\d+x\d+\.webp$/,
    },
  ],
]);

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+ ?="[^"<>]*")*)(\/?)>/y;
const ATTRIBUTE = / ([a-zA-Z0-9-]+) ?="([^"<>]*)"/g;

const BEGINS_FORMULA = ' class="katex"';

/** Whether `html` is well-formed and contains only what messages may contain. */
export function isSafeHtml(html: string): boolean {
  const open: string[] = [];
  /** Attributes that passed: a message can contain thousands of the same element, such as an emoji. */
  const known = new Map<string, Attributes>();
  /** How many elements were open where the formula around this element began; undefined outside of formulas. */
  let formula: number | undefined;
  let pos = html.indexOf('<');
  let textStart = 0;
  while (pos >= 0) {
    if (html.slice(textStart, pos).includes('>')) return false;
    TAG.lastIndex = pos;
    const tag = TAG.exec(html);
    const name = tag?.[2];
    if (!tag || name === undefined) return false;
    const attributes = tag[3] ?? '';
    const isEmpty = tag[4] === '/';
    if (tag[1] === '/') {
      if (attributes !== '' || isEmpty || open.pop() !== name) return false;
      if (open.length === formula) formula = undefined;
    } else {
      const isOfFormula = formula !== undefined;
      if (isEmpty && !isOfFormula) return false;
      const isVoid = isOfFormula ? isEmpty : VOID.has(name);
      const elements = isOfFormula ? FORMULA_ELEMENTS : ALLOWED;
      const voidElements = isOfFormula ? FORMULA_VOID : VOID;
      const allowed = (isVoid ? voidElements : elements).get(name);
      if (!allowed) return false;
      if (attributes !== '' && known.get(attributes) !== allowed) {
        if (!areAllowed(attributes, allowed)) return false;
        known.set(attributes, allowed);
      }
      if (name === 'span' && attributes === BEGINS_FORMULA) formula ??= open.length;
      if (!isVoid) open.push(name);
    }
    textStart = TAG.lastIndex;
    pos = html.indexOf('<', textStart);
  }
  return open.length === 0 && html.indexOf('>', textStart) < 0;
}

function areAllowed(attributes: string, allowed: Attributes): boolean {
  const seen = new Set<string>();
  for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
    const rule = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (!rule || seen.has(name)) return false;
    seen.add(name);
    if (typeof rule === 'function' ? !rule(value) : !rule.test(value)) return false;
  }
  return true;
}

/** The value is still escaped. It contains only the entities that `escapeAttribute` writes. */
function isSafeAttributeUrl(value: string): boolean {
  return isAllowedHref(unescapeUrl(value));
}

function isSafeImageUrl(value: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/))/.test(unescapeUrl(value));
}

function isSafeUploadUrl(value: string): boolean {
  return /^\/user_uploads\//.test(unescapeUrl(value));
}

function unescapeUrl(value: string): string {
  return value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
