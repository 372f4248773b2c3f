/** The text of HTML that services send in place of plain text. */
import { Parser } from 'htmlparser2';

/** Of the HTML. A quote in a message has 3,000 characters. */
const MAX_HTML_LENGTH = 10_000;
const BLOCKS: ReadonlySet<string> = new Set([
  'br',
  'div',
  'h1',
  'h2',
  'h3',
  'h4',
  'li',
  'ol',
  'p',
  'pre',
  'table',
  'tr',
  'ul',
]);
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['head', 'script', 'style', 'title']);

/** The text with its lines and lists. A text without tags stays as it is, except for entities. */
export function textOfHtml(html: string): string {
  let text = '';
  let hidden = 0;
  const newLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n';
  };
  const parser = new Parser({
    onopentagname(name) {
      if (WITHOUT_TEXT.has(name)) hidden += 1;
      if (BLOCKS.has(name)) newLine();
      if (name === 'li') text += '* ';
    },
    onclosetag(name) {
      if (WITHOUT_TEXT.has(name)) hidden -= 1;
      if (BLOCKS.has(name)) newLine();
    },
    ontext(piece) {
      if (hidden === 0) text += piece;
    },
  });
  parser.end(html.slice(0, MAX_HTML_LENGTH));
  return text.trim();
}
