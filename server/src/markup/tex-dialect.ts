import type { Attributes } from './sanitizer.ts';

/** What formulas are made of (KaTeX): elements of MathML and of drawings, and lengths. Nothing here can load, run or cover anything. */

/** Those of the library that clients have styles for, one or several; none is one of messages. */
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

/** Those that say `/>`. To a browser it means something on elements of MathML and of drawings alone: it leaves a `<span/>` open. */
export const FORMULA_VOID: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['path', { d: /^[\d\s.,a-zA-Z-]*$/ }],
  ['line', { x1: WORD, y1: WORD, x2: WORD, y2: WORD, 'stroke-width': WORD }],
  // Some spaces are written so, and others with a closing tag.
  ['mspace', { width: WORD }],
]);
