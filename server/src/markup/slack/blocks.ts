/** Blocks of Slack messages as mrkdwn (https://docs.slack.dev/reference/block-kit/blocks). */
import { bold, linked, literal, literalLine, markdown } from './escapes.ts';
import { joinedTexts, objectOf, objectsOf, type SlackObject, textOf } from './objects.ts';
import { mrkdwnOfRichText } from './rich-text.ts';

/** Further blocks are left out. Slack allows 50. */
const MAX_BLOCKS = 100;

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
};

/** Empty for blocks that only work in Slack. */
export function mrkdwnOfBlocks(blocks: unknown): string {
  return joinedTexts(
    objectsOf(blocks)
      .slice(0, MAX_BLOCKS)
      .map((block) => {
        const type = textOf(block.type);
        return Object.hasOwn(CONVERTERS, type) ? (CONVERTERS[type]?.(block) ?? '') : '';
      }),
    '\n\n',
  );
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
