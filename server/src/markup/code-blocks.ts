import { highlightCode } from './code-highlighting.ts';
import { codeLanguage } from './code-languages.ts';
import { escapeAttribute } from './html-text.ts';

/** The language in what follows an opening fence: `python`, `.python`, `{.python}`; the rest of the line is ignored. */
const LANGUAGE = /^[ \t]*\{?\.?([\w+\-./#]+)/;
const LEADING_BLANK_LINES = /^(?:[ \t]*\n)+/;

/**
 * How many more characters of one message may be highlighted. The time of the grammars' regular expressions can grow with the square of
 * the code's length, so the longest messages get no highlighting.
 */
export interface HighlightBudget {
  remaining: number;
}

export function newHighlightBudget(): HighlightBudget {
  return { remaining: 4000 };
}

/** Very long words and runs of spaces: no real program has them, and the grammars are slowest at them. */
const HARD_TO_HIGHLIGHT = /\S{200}|\s{100}/;

/** @param info what follows the opening fence, or the language of blocks that name none */
export function renderCodeBlock(code: string, info: string, budget: HighlightBudget): string {
  const written = LANGUAGE.exec(info)?.[1];
  const language = written === undefined ? undefined : codeLanguage(written);
  const label = language?.displayName ?? written;
  const attribute = label === undefined ? '' : ` data-code-language="${escapeAttribute(label)}"`;
  const html = highlighted(trimBlankLines(code), language?.grammar, budget);
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>`;
}

function highlighted(code: string, grammar: string | undefined, budget: HighlightBudget): string {
  if (grammar === undefined || code.length > budget.remaining || HARD_TO_HIGHLIGHT.test(code)) {
    return escapeAttribute(code);
  }
  budget.remaining -= code.length;
  return highlightCode(code, grammar);
}

/** Code begins with its first line that isn't blank and ends with one newline. */
function trimBlankLines(code: string): string {
  return `${code.replace(LEADING_BLANK_LINES, '').trimEnd()}\n`;
}
