/** Attachments and blocks of messages of Rocket.Chat as its markup. */
import { literalLine } from '@heddle/server/markup/slack/escapes.ts';
import { type Json, objectIn, objectsIn, textIn } from '../fields.ts';
import { attachmentText } from '../mattermost/mattermost-attachments.ts';

/** Of attachments in attachments, as in a quote of a quote. */
const MAX_DEPTH_LEVELS = 8;

export function isQuote(attachment: Json): boolean {
  return textIn(attachment, 'message_link') !== undefined;
}

/** An attached file has only its description here; the file itself is a line after the text. */
export function attachmentOf(attachment: Json): string {
  return textAt(attachment, 0);
}

function textAt(attachment: Json, depth: number): string {
  const inner = depth < MAX_DEPTH_LEVELS ? objectsIn(attachment.attachments).map((one) => textAt(one, depth + 1)) : [];
  if (isQuote(attachment)) return quoteOf(attachment, inner);
  const isFile = textIn(attachment, 'type') === 'file' || textIn(attachment, 'title_link')?.startsWith('/file-upload/');
  if (isFile !== true) return joined([attachmentText(attachment), mediaOf(attachment), ...inner]);
  // The file of a quoted message belongs to that message.
  const name = depth === 0 ? '' : literalLine(textIn(attachment, 'title') ?? '');
  return joined([name, textIn(attachment, 'description') ?? '', ...inner]);
}

function quoteOf(attachment: Json, inner: readonly string[]): string {
  const author = (textIn(attachment, 'author_name') ?? '').replaceAll(/[*[\]\n]/g, ' ');
  const quoted = joined([textIn(attachment, 'text') ?? '', ...inner]).replaceAll('\n', '\n> ');
  const link = textIn(attachment, 'message_link') ?? '';
  return `${author === '' ? '' : `**${author}** `}[said](${link}):\n> ${quoted}`;
}

/** Pictures have a link already. */
function mediaOf(attachment: Json): string {
  return joined(
    ['video', 'audio'].map((kind) => {
      const url = textIn(attachment, `${kind}_url`) ?? '';
      return /^https?:\/\/\S+$/i.test(url) ? `[${kind}](${escapedUrl(url)})` : '';
    }),
  );
}

/** What the blocks of an app say (https://developer.rocket.chat/docs/uikit). Their buttons only work there, except for links. */
export function blockText(block: Json): string {
  const elements = objectsIn(block.elements).map(elementOf);
  return joined([
    ...['title', 'text', 'description'].flatMap((field) => textsOf(block[field])),
    ...objectsIn(block.fields).map(elementOf),
    elementOf(objectIn(block, 'accessory')),
    block.type === 'image' ? imageOf(block) : '',
    elements.filter((text) => text !== '').join(' '),
  ]);
}

/** A text object, or a list of them. */
function textsOf(value: unknown): readonly string[] {
  return objectsIn(Array.isArray(value) ? value : [value]).map(elementOf);
}

function elementOf(element: Json): string {
  const text = textIn(element, 'text') ?? '';
  switch (element.type) {
    case 'mrkdwn':
      return text;
    case 'plain_text':
      return literalLine(text);
    case 'image':
      return imageOf(element);
    case 'button': {
      const url = textIn(element, 'url') ?? '';
      const label = literalLine(textIn(objectIn(element, 'text'), 'text') ?? '') || 'link';
      return /^https?:\/\/\S+$/i.test(url) ? `[${label}](${escapedUrl(url)})` : '';
    }
    default:
      return '';
  }
}

function imageOf(image: Json): string {
  const url = textIn(image, 'imageUrl') ?? '';
  const label = literalLine(textIn(image, 'altText') ?? '') || 'image';
  return /^https?:\/\/\S+$/i.test(url) ? `[${label}](${escapedUrl(url)})` : '';
}

function escapedUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** A place on the map: `{ type: 'Point', coordinates: [longitude, latitude] }`. */
export function locationOf(location: Json): string {
  const { coordinates } = location;
  if (!Array.isArray(coordinates)) return '';
  const [longitude, latitude] = coordinates;
  if (!isDegrees(longitude, 180) || !isDegrees(latitude, 90)) return '';
  return `[${latitude}, ${longitude}](https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude})`;
}

function isDegrees(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit;
}
