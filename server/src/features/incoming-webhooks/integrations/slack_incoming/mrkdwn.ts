import { EVERYBODY, joined, link, type Markdown, md, spaces, withFormatting } from '../../markdown.ts';

/** Characters of one text; Slack's own limit is 40,000 for a whole message. */
const MAX_TEXT_LENGTH = 8000;

/** `<https://…|label>`, `<@U123>`, `<#C123|name>`, `<!here>`. */
const REFERENCE = /<([^<>\n]{1,2000})>/g;

/** Slack's markup in ours. It has one star for bold text, one tilde for struck text, and its own links. */
export function fromSlack(source: string): Markdown {
  const text = source.slice(0, MAX_TEXT_LENGTH).toWellFormed();
  const pieces: Markdown[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    pieces.push(formatted(text.slice(end, match.index)), reference(match[1] ?? ''));
    end = match.index + match[0].length;
  }
  pieces.push(formatted(text.slice(end)));
  return joined(pieces, '');
}

function reference(content: string): Markdown {
  const [target = '', label = ''] = content.split('|', 2);
  const name = unescaped(label);
  switch (target.charAt(0)) {
    case '@':
      return md`@${name === '' ? target.slice(1) : name.replace(/^@/, '')}`;
    case '#':
      return md`#${name === '' ? target.slice(1) : name}`;
    case '!':
      return /^!(?:channel|everyone|here)$/.test(target) ? EVERYBODY : md`${name === '' ? target.slice(1) : name}`;
    default: {
      const address = unescaped(target);
      if (address.startsWith('mailto:')) return md`${name === '' ? address.slice(7) : name}`;
      return link(name === '' ? address : name, address);
    }
  }
}

/** Spaces at the ends separate the pieces, so they stay. */
function formatted(text: string): Markdown {
  const middle = text.trim();
  if (middle === '') return spaces(text);
  const begin = text.indexOf(middle);
  const [before, after] = [text.slice(0, begin), text.slice(begin + middle.length)];
  return joined([spaces(before), withFormatting(unescaped(converted(middle))), spaces(after)], '');
}

/** Code stays as it is. */
function converted(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : styled(part)))
    .join('');
}

function styled(text: string): string {
  return text
    .replaceAll(/(?<![\w*])\*(?![\s*])([^*\n]{1,500}?)(?<!\s)\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w_])_(?![\s_])([^_\n]{1,500}?)(?<!\s)_(?![\w_])/g, '*$1*')
    .replaceAll(/(?<![\w~])~(?![\s~])([^~\n]{1,500}?)(?<!\s)~(?![\w~])/g, '~~$1~~');
}

/** Slack escapes these three characters. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
