/** Formatted text of Slack's editor and of newer programs (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
import { bold, code, codeBlock, EVERYBODY, joined, link, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

const MAX_PARTS = 10;
/** Elements of one section. */
const MAX_ELEMENTS = 100;

export function richText(block: Payload): Markdown {
  return joined(block.list('elements').slice(0, MAX_PARTS).map(part), '\n');
}

function part(element: Payload): Markdown {
  switch (element.text('type')) {
    case 'rich_text_list':
      return list(element);
    case 'rich_text_quote':
      return quote(plainText(element));
    case 'rich_text_preformatted':
      return codeBlock('', plainText(element));
    default:
      return section(element);
  }
}

function list(element: Payload): Markdown {
  const isOrdered = element.text('style') === 'ordered';
  const items = element.list('elements').slice(0, MAX_PARTS).map(section);
  return joined(
    items.map((item, index) => (isOrdered ? md`${index + 1}. ${item}` : md`* ${item}`)),
    '\n',
  );
}

/** Texts keep the spaces at their ends, which separate them. */
function section(element: Payload): Markdown {
  const pieces = element.list('elements').slice(0, MAX_ELEMENTS);
  return joined(
    pieces.flatMap((piece) => {
      const [, before = '', after = ''] = /^(\s?)[\s\S]*?(\s?)$/.exec(piece.text('text').slice(0, 300)) ?? [];
      const space = (text: string) => (text === '' ? [] : [SPACE]);
      const isText = piece.text('type') === 'text';
      return isText ? [...space(before), styled(piece), ...space(after)] : [inline(piece)];
    }),
    '',
  );
}

const SPACE = md` `;

function styled(piece: Payload): Markdown {
  const text = piece.text('text').trim();
  if (text === '') return md``;
  if (piece.isTrue('style', 'code')) return code(text);
  return piece.isTrue('style', 'bold') ? bold(text) : md`${text}`;
}

function inline(piece: Payload): Markdown {
  switch (piece.text('type')) {
    case 'link':
      return link(piece.text('text') || piece.text('url'), piece.text('url'));
    case 'emoji':
      return /^[\w+-]{1,60}$/.test(piece.text('name')) ? md`:${piece.text('name')}:` : md``;
    case 'user':
      return md`@${piece.text('user_id')}`;
    case 'channel':
      return md`#${piece.text('channel_id')}`;
    case 'broadcast':
      return EVERYBODY;
    default:
      return md``;
  }
}

function plainText(element: Payload): string {
  return element
    .list('elements')
    .slice(0, MAX_ELEMENTS)
    .map((piece) => piece.text('text') || piece.text('url'))
    .join('');
}
