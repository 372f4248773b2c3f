import { createRequire } from 'node:module';
import type { StateInline } from 'markdown-it';
import { escapeAttribute, escapeText } from './html-text.ts';

/** Formulas: `$$…$$` in a line, and fences that say `math`. */

const DOLLAR_CODE = 36;
const WORD = /\w/;
/** On one line. It does not begin with `_`, and a dollar sign in it has a backslash. */
const SYNTAX = /\$\$(?!\$)([^\n_$](?:\\\$|[^\n$])*)\$\$(?!\$)/y;

/** Definitions of commands: each use of one can expand to as much text as its definition. */
const DEFINITION = /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;
const MAX_LENGTH_WITH_DEFINITIONS = 300;
const MAX_EXPANSIONS = { ordinary: 1000, withDefinitions: 50 };
const MAX_COLUMNS = 100;

/** What one message may still spend on formulas: a character becomes about a hundred characters of HTML, and takes tens of microseconds. */
export interface TexBudget {
  characters: number;
  html: number;
}

export function newTexBudget(): TexBudget {
  return { characters: 1500, html: 200_000 };
}

export function inlineTex(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== DOLLAR_CODE || src.charCodeAt(pos + 1) !== DOLLAR_CODE) return false;
  if (pos > 0 && (src.charCodeAt(pos - 1) === DOLLAR_CODE || WORD.test(src[pos - 1] ?? ''))) return false;
  SYNTAX.lastIndex = pos;
  const match = SYNTAX.exec(src);
  const formula = match?.[1];
  if (!match || formula === undefined) return false;
  const end = pos + match[0].length;
  if (end > state.posMax || WORD.test(src[end] ?? '')) return false;
  if (!silent) state.push('tex', '', 0).content = formula;
  state.pos = end;
  return true;
}

/** The HTML of a formula in a line; the text as it was written where it is invalid. */
export function renderInlineTex(formula: string, budget: TexBudget): string {
  return texHtml(formula, false, budget) ?? `<span class="tex-error">$$${escapeText(formula)}$$</span>`;
}

/** The HTML of a block of formulas. Blank lines separate them. */
export function renderTexBlock(block: string, budget: TexBudget): string {
  return block
    .trimEnd()
    .split('\n\n')
    .map((formula) => {
      const error = () => `<span class="tex-error">${escapeAttribute(formula).replaceAll('&#39;', '&#x27;')}</span>`;
      return `<p>${texHtml(formula, true, budget) ?? error()}</p>`;
    })
    .join('\n');
}

const load = createRequire(import.meta.url);

function texHtml(formula: string, displayMode: boolean, budget: TexBudget): string | undefined {
  const hasDefinitions = DEFINITION.test(formula);
  if (formula.length > budget.characters || formula.split('&').length > MAX_COLUMNS) return undefined;
  if (hasDefinitions && formula.length > MAX_LENGTH_WITH_DEFINITIONS) return undefined;
  budget.characters -= formula.length;
  // Loaded with the first formula: few messages contain one.
  const katex = load('katex') as typeof import('katex').default;
  try {
    const html = withoutConsole(() =>
      katex.renderToString(formula, {
        displayMode,
        maxExpand: hasDefinitions ? MAX_EXPANSIONS.withDefinitions : MAX_EXPANSIONS.ordinary,
        maxSize: 100,
        strict: false,
        trust: false,
        throwOnError: true,
      }),
    );
    if (html.length > budget.html) return undefined;
    budget.html -= html.length;
    return html;
  } catch {
    // The library throws for an invalid formula, and runs out of stack for a thousand nested braces.
    return undefined;
  }
}

/**
 * The library prints texts of formulas (`\\message`, `\\errmessage`, `\\show`) and characters that it does not know. On the standard error of
 * the server, such a text could look like an entry of its log.
 */
function withoutConsole<T>(act: () => T): T {
  const { log, warn, error } = console;
  const print = () => undefined;
  Object.assign(console, { log: print, warn: print, error: print });
  try {
    return act();
  } finally {
    Object.assign(console, { log, warn, error });
  }
}
