/**
 * Styles of formulas, of table cells and of link previews. The policy of the page forbids style attributes. So they travel under another name
 * through the sanitizer, and become single properties of the nodes afterwards.
 */
export const STYLE_ATTRIBUTE = 'data-message-style';

const LENGTH = /^-?[\d.]{1,12}(?:em|ex|pt|px|mu|%)?$/;
const COLOR = /^#?[a-zA-Z0-9]{1,30}$/;

/** The properties that KaTeX writes. Others could cover the app. */
const PROPERTIES: ReadonlyMap<string, RegExp> = new Map([
  ...['height', 'width', 'min-width', 'top', 'bottom', 'left', 'vertical-align', 'font-size'].map(
    (name) => [name, LENGTH] as const,
  ),
  ...['margin', 'padding'].flatMap((name) =>
    ['left', 'right', 'top', 'bottom'].map((side) => [`${name}-${side}`, LENGTH] as const),
  ),
  ...['', '-top', '-right', '-bottom', '-left'].flatMap((side) => [
    [`border${side}-width`, LENGTH] as const,
    [`border${side}-style`, /^(?:solid|dashed|dotted|none)$/] as const,
    [`border${side}-color`, COLOR] as const,
  ]),
  ['border', /^[\d.]{1,12}(?:em|px) solid #?[a-zA-Z0-9]{1,30}$/],
  ['color', COLOR],
  ['background-color', COLOR],
  ['text-shadow', /^[\d. emx-]{1,40}$/],
  ['position', /^relative$/],
]);

/** The image of a link preview, which this server serves. */
const IMAGE = /^background-image: url\("(\/external_content\/[\da-f]+\/[\da-f]+)"\)$/;
const ALIGNMENT = /^text-align: ?(left|center|right);?$/;

/** Applies the styles that messages may have to all nodes of a message. */
export function applyStyles(fragment: DocumentFragment): void {
  for (const element of fragment.querySelectorAll<HTMLElement>(`[${STYLE_ATTRIBUTE}]`)) {
    const style = element.getAttribute(STYLE_ATTRIBUTE) ?? '';
    element.removeAttribute(STYLE_ATTRIBUTE);
    if (element.localName === 'td' || element.localName === 'th') {
      const [, align] = ALIGNMENT.exec(style) ?? [];
      if (align !== undefined) element.style.textAlign = align;
    } else if (element.classList.contains('message_embed_image')) {
      const [, path] = IMAGE.exec(style) ?? [];
      if (path !== undefined) element.style.backgroundImage = `url("${path}")`;
    } else if (element.closest('.katex') !== null) applyFormulaStyle(element, style);
  }
}

function applyFormulaStyle(element: HTMLElement, style: string): void {
  for (const declaration of style.split(';')) {
    const [name = '', value = ''] = declaration.split(':');
    if (PROPERTIES.get(name.trim())?.test(value.trim())) element.style.setProperty(name.trim(), value.trim());
  }
}
