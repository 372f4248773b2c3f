/** Blocks of Slack messages as mrkdwn (https://docs.slack.dev/reference/block-kit/blocks). */
import { bold, linked, literal, literalLine, markdown } from './escapes.ts';
import { joinedTexts, objectOf, objectsOf, type SlackObject, textOf } from './objects.ts';
import { mrkdwnOfRichText } from './rich-text.ts';
import { mrkdwnOfTable } from './table.ts';

/** Further blocks are left out. Slack allows 50. */
const MAX_BLOCKS = 100;
/** Of blocks in blocks. */
const MAX_DEPTH_LEVELS = 8;

const CONVERTERS: Readonly<Record<string, (block: SlackObject) => string>> = {
  header: (block) => bold(textOf(objectOf(block.text).text)),
  section: (block) =>
    joinedTexts([mrkdwnOfText(block.text), fieldsOf(block.fields), elementOf(objectOf(block.accessory))], '\n\n'),
  context: (block) => joinedTexts(objectsOf(block.elements).map(elementOf), ' '),
  actions: (block) => joinedTexts(objectsOf(block.elements).map(elementOf), ' '),
  image: imageOf,
  video: (block) => linked(textOf(objectOf(block.title).text) || 'video', textOf(block.title_url || block.video_url)),
  rich_text: mrkdwnOfRichText,
  markdown: (block) => markdown(textOf(block.text)),
  divider: () => '----',
  table: mrkdwnOfTable,
  data_table: mrkdwnOfTable,
};

/** What only works in Slack, or has nothing to read. */
const ONLY_IN_SLACK = /^(?:|call|context_actions|file|input|\w*buttons?)$/;
/** Where other kinds of blocks, such as cards, have what people read, in the order in which Slack shows it. */
const READABLE_FIELDS = [
  'hero_image',
  'title',
  'subtitle',
  'text',
  'body',
  'description',
  'details',
  'output',
  'blocks',
  'elements',
  'tasks',
  'actions',
];

/** Empty for blocks that only work in Slack. */
export function mrkdwnOfBlocks(blocks: unknown): string {
  return joinedTexts(
    objectsOf(blocks)
      .slice(0, MAX_BLOCKS)
      .map((block) => blockOf(block, 0)),
    '\n\n',
  );
}

function blockOf(block: SlackObject, depth: number): string {
  const type = textOf(block.type);
  if (Object.hasOwn(CONVERTERS, type)) return CONVERTERS[type]?.(block) ?? '';
  if (ONLY_IN_SLACK.test(type)) return '';
  return joinedTexts(
    READABLE_FIELDS.map((field) => partOf(block[field], depth + 1)),
    '\n\n',
  );
}

/** A text, an element, a block, or a list of them. */
function partOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return literalLine(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH_LEVELS) return '';
  if (Array.isArray(value)) {
    const parts = value.slice(0, MAX_BLOCKS).map((one) => partOf(one, depth + 1));
    return joinedTexts(parts, '\n\n');
  }
  const part = objectOf(value);
  return elementOf(part) || blockOf(part, depth);
}

/** A text object; its type says whether it has markup. */
function mrkdwnOfText(value: unknown): string {
  const { type, text } = objectOf(value);
  return type === 'plain_text' ? literal(textOf(text)) : textOf(text);
}

function fieldsOf(fields: unknown): string {
  return listOf(objectsOf(fields).map(mrkdwnOfText));
}

/** Further lines of an item are indented, so that they stay in it. */
export function listOf(items: readonly string[]): string {
  return items
    .filter((item) => item.trim() !== '')
    .map((item) => `• ${item.trim().replaceAll('\n', '\n  ')}`)
    .join('\n');
}

/** A text, a picture or a button with a link. Other elements only work in Slack. */
function elementOf(element: SlackObject): string {
  switch (element.type) {
    case 'image':
      return imageOf(element);
    case 'mrkdwn':
    case 'plain_text':
      return mrkdwnOfText(element);
    case 'button':
      return element.url === undefined ? '' : linked(textOf(objectOf(element.text).text), textOf(element.url));
    default:
      return '';
  }
}

function imageOf(block: SlackObject): string {
  const title = textOf(objectOf(block.title).text) || textOf(block.alt_text) || 'image';
  const url = textOf(block.image_url);
  return url === '' ? literalLine(title) : linked(title, url);
}
