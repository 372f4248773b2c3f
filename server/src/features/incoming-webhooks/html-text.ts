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

/** The text with its lines, lists, links and pictures. A text without tags stays as it is, except for entities. */
export function textOfHtml(html: string): string {
  let text = '';
  let hidden = 0;
  let link = { begin: 0, url: '' };
  const newLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n';
  };
  const parser = new Parser({
    onopentagname(name) {
      if (WITHOUT_TEXT.has(name)) hidden += 1;
      if (BLOCKS.has(name)) newLine();
      if (name === 'li') text += '* ';
    },
    onopentag(name, { href = '', src = '', alt = '' }) {
      if (name === 'a') link = { begin: text.length, url: href };
      if (name === 'img' && hidden === 0) text += linkTo(src, alt || 'picture');
    },
    onclosetag(name) {
      if (WITHOUT_TEXT.has(name)) hidden -= 1;
      if (name === 'a') {
        text = text.slice(0, link.begin) + linkTo(link.url, text.slice(link.begin));
        link = { begin: text.length, url: '' };
      }
      if (BLOCKS.has(name)) newLine();
    },
    ontext(piece) {
      if (hidden === 0) text += piece;
    },
  });
  parser.end(html.slice(0, MAX_HTML_LENGTH));
  return text.trim();
}

/** The label alone if the address is none of the web, if it is the label, or if the label is more than a line. */
function linkTo(url: string, label: string): string {
  const words = label.trim();
  if (!/^https?:\/\/\S{1,2000}$/i.test(url) || words === url || /\n|\]\(/.test(words)) return label;
  const name = words.replaceAll('[', '&#91;').replaceAll(']', '&#93;');
  const target = url.replaceAll('(', '%28').replaceAll(')', '%29');
  return words === '' ? label : label.replace(words, () => `[${name}](${target})`);
}
