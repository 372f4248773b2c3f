import { highlightCode } from './code-highlighting.ts';
import { codeLanguage } from './code-languages.ts';
import { escapeAttribute } from './html-text.ts';

/** The language in what follows an opening fence: `python`, `.python`, `{.python}`; the rest of the line is ignored. */
const LANGUAGE = /^[ \t]*\{?\.?([\w+\-./#]+)/;
const BLANK_EDGES = /^(?:[ \t]*\n)+/;

/** The HTML of a code block, with the fence's info string. */
export function renderCodeBlock(code: string, info: string): string {
  const written = LANGUAGE.exec(info)?.[1];
  const language = written === undefined ? undefined : codeLanguage(written);
  const label = language?.displayName ?? written;
  const attribute = label === undefined ? '' : ` data-code-language="${escapeAttribute(label)}"`;
  const body = trimBlankLines(code);
  const html = language?.grammar === undefined ? escapeAttribute(body) : highlightCode(body, language.grammar);
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>`;
}

/** Code begins with its first line that isn't blank and ends with one newline. */
function trimBlankLines(code: string): string {
  return `${code.replace(BLANK_EDGES, '').trimEnd()}\n`;
}
