/** The text of HTML that is nested too deeply to be converted: without recursion, in linear time. */
import { Parser } from 'htmlparser2';

/** Mails that arrange a page with tables in tables have some dozens of levels. */
const MAX_NESTING_LEVELS = 200;
const INVISIBLE = new Set(['head', 'title', 'style', 'script', 'noscript', 'template']);
const LINES = new Set(['p', 'div', 'br', 'li', 'tr', 'blockquote', 'pre', 'table', 'ul', 'ol', 'h1', 'h2', 'h3']);

/** Undefined if the HTML is not nested too deeply. */
export function textOfDeepHtml(html: string): string | undefined {
  const text: string[] = [];
  let depth = 0;
  let isDeep = false;
  let hidden = 0;
  const parser = new Parser({
    onopentag(name) {
      depth += 1;
      if (depth > MAX_NESTING_LEVELS) isDeep = true;
      if (INVISIBLE.has(name)) hidden += 1;
      if (LINES.has(name)) text.push('\n');
    },
    onclosetag(name) {
      depth -= 1;
      if (INVISIBLE.has(name)) hidden -= 1;
    },
    ontext(data) {
      if (hidden === 0) text.push(data);
    },
  });
  parser.end(html);
  return isDeep ? text.join('') : undefined;
}
