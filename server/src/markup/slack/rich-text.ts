/** Formatted text of Slack's editor as mrkdwn (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
import { linked, literal, literalLine, markdown } from './escapes.ts';
import { joinedTexts, numberOf, objectOf, objectsOf, type SlackObject, textOf } from './objects.ts';
import { quoted } from './quoted.ts';

const MAX_LIST_INDENT_LEVELS = 10;

export function mrkdwnOfRichText(block: SlackObject): string {
  return objectsOf(block.elements).map(partOf).join('\n');
}

function partOf(element: SlackObject): string {
  switch (element.type) {
    case 'rich_text_list':
      return listOf(element);
    case 'rich_text_quote':
      return quoted(sectionOf(element));
    case 'rich_text_preformatted':
      return codeBlock(plainText(element));
    default:
      return sectionOf(element);
  }
}

function listOf(list: SlackObject): string {
  const indent = '    '.repeat(Math.min(Math.max(numberOf(list.indent), 0), MAX_LIST_INDENT_LEVELS));
  const first = Math.max(numberOf(list.offset), 0) + 1;
  const items = objectsOf(list.elements).map((item, index) => {
    const marker = list.style === 'ordered' ? `${first + index}.` : '•';
    const content = sectionOf(item).trim();
    return content === '' ? '' : `${indent}${marker} ${content.replaceAll('\n', `\n${indent}  `)}`;
  });
  return joinedTexts(items, '\n');
}

function sectionOf(section: SlackObject): string {
  return objectsOf(section.elements).map(inlineOf).join('').replace(/\n$/, '');
}

/** A fence inside must not end this one. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return markdown(`${fence}\n${text.replace(/\n$/, '')}\n${fence}`);
}

function plainText(element: SlackObject): string {
  return objectsOf(element.elements)
    .map(({ text, url }) => textOf(text) || textOf(url))
    .join('');
}

function inlineOf(piece: SlackObject): string {
  switch (piece.type) {
    case 'text':
      return styled(piece);
    case 'link': {
      const link = linked(textOf(piece.text) || textOf(piece.url), textOf(piece.url));
      return markersOf(piece).reduce((text, [marker]) => `${marker}${text}${marker}`, link);
    }
    case 'emoji':
      return /^[\w+:-]{1,100}$/.test(textOf(piece.name)) ? `:${textOf(piece.name)}:` : '';
    case 'user':
      return reference('@', piece.user_id);
    case 'channel':
      return reference('#', piece.channel_id);
    case 'usergroup':
      return reference('!subteam^', piece.usergroup_id);
    case 'broadcast':
      return reference('!', piece.range);
    case 'date':
      return literalLine(textOf(piece.fallback)) || reference('!date^', piece.timestamp);
    case 'color':
      return literalLine(textOf(piece.value));
    default:
      return literal(textOf(piece.text));
  }
}

function reference(prefix: string, id: unknown): string {
  const text = textOf(id);
  return /^\w{1,100}$/.test(text) ? `<${prefix}${text}>` : '';
}

const MARKERS = [
  ['_', 'italic', '*'],
  ['*', 'bold', '**'],
  ['~', 'strike', '~~'],
] as const;

function markersOf({ style }: SlackObject) {
  const styles = objectOf(style);
  return MARKERS.filter(([, name]) => styles[name] === true);
}

/** Styles can begin inside a word, which mrkdwn cannot express. So a styled text is Markdown, line by line, without the spaces at its ends. */
function styled(piece: SlackObject): string {
  const text = textOf(piece.text);
  const isCode = objectOf(piece.style).code === true;
  const marks = markersOf(piece).map(([, , mark]) => mark);
  if (!isCode && marks.length === 0) return literal(text);
  return text
    .split('\n')
    .map((line) => {
      const middle = line.trim();
      if (middle === '') return line;
      const begin = line.indexOf(middle);
      const content = isCode ? `\`${middle.replaceAll('`', "'")}\`` : literal(middle);
      const whole = marks.reduce((inner, mark) => `${mark}${inner}${mark}`, content);
      return `${line.slice(0, begin)}${markdown(whole)}${line.slice(begin + middle.length)}`;
    })
    .join('\n');
}
