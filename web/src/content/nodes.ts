/** Makes the nodes that the app adds to messages. Texts are text nodes, so nothing of a message becomes HTML here. */

type Attributes = Readonly<Record<string, string | undefined>>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** The few icons inside messages, as paths in a square of 24. The others are components. */
const PATHS = {
  copy: ['M8 8h12v12H8z', 'M16 8V4H4v12h4'],
  check: ['M20 6 9 17l-5-5'],
  chevron: ['m9 18 6-6-6-6'],
  external: ['M15 3h6v6', 'M10 14 21 3', 'M18 13v8H3V6h8'],
  file: ['M14 2H6v20h14V8z', 'M14 2v6h6'],
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const made = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', class: 'content-icon' };
  for (const [key, value] of Object.entries({ ...attributes, 'aria-hidden': 'true' })) made.setAttribute(key, value);
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    made.append(path);
  }
  return made;
}
