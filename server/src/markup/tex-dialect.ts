/** The HTML of formulas (KaTeX): elements of MathML and SVG, and lengths. None of it can load, run or cover anything. */

/** Classes of the library, one or several, for which clients have styles. Messages use none of them elsewhere. */
const CLASSES = /^(?!.*(?:mention|emoji|timestamp|highlight))[a-zA-Z][\w-]*(?: [a-zA-Z][\w-]*)*$/;
const LENGTHS = String.raw`-?[\d.]+(?:em|ex|pt|px|mu|%)?(?: -?[\d.]+(?:em|px)?)*`;
const COLOR = '#?[a-zA-Z0-9]+';
const STYLE = new RegExp(
  `^(?:${[
    `(?:height|width|min-width|top|bottom|left|vertical-align|font-size|text-shadow|(?:margin|padding)(?:-(?:left|right|top|bottom))?|border(?:-(?:top|right|bottom|left))?-width): ?${LENGTHS}`,
    `(?:background-)?color: ?${COLOR}`,
    `border(?:-(?:top|right|bottom|left))?-(?:color|style): ?${COLOR}`,
    `border: ?${LENGTHS} solid ${COLOR}`,
    'position: ?relative',
  ]
    .map((declaration) => `${declaration}(?:; ?|$)`)
    .join('|')})+$`,
);
const WORD = /^[\w#.,%+ -]*$/;
const NUMBERS = /^[\d. -]*$/;

const NAMES =
  'semantics mrow mi mo mn mtext ms mspace msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd mlabeledtr mstyle mpadded menclose mphantom';
const MATH: Attributes = Object.fromEntries(
  'mathvariant stretchy fence separator lspace rspace minsize maxsize symmetric linebreak accent accentunder linethickness rowspacing columnspacing columnalign columnlines rowlines side width height depth voffset scriptlevel displaystyle mathcolor mathbackground mathsize notation largeop movablelimits form'
    .split(' ')
    .map((name) => [name, WORD]),
);

export const FORMULA_ELEMENTS: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['span', { class: CLASSES, style: STYLE, 'aria-hidden': /^true$/ }],
  ['math', { xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/, display: /^block$/ }],
  ...NAMES.split(' ').map((name) => [name, { ...MATH, style: STYLE, class: CLASSES }] as const),
  ['annotation', { encoding: /^application\/x-tex$/ }],
  [
    'svg',
    {
      xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
      width: WORD,
      height: WORD,
      style: STYLE,
      viewBox: NUMBERS,
      preserveAspectRatio: /^[a-zA-Z ]+$/,
    },
  ],
]);

/** Elements that end with `/>`. Browsers accept that only for MathML and SVG: a `<span/>` stays open. */
export const FORMULA_VOID: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['path', { d: /^[\d\s.,a-zA-Z-]*$/ }],
  ['line', { x1: WORD, y1: WORD, x2: WORD, y2: WORD, 'stroke-width': WORD }],
  // The library writes some spaces so, and others with a closing tag.
  ['mspace', { width: WORD }],
]);

export type Attributes = Readonly<Record<string, RegExp | ((value: string) => boolean)>>;
