/** Attachments of Slack messages as mrkdwn: texts of apps, previews of links, and shared messages. */
import { listOf, mrkdwnOfBlocks } from './blocks.ts';
import { bold, decoded, linked, literalLine, markdown } from './escapes.ts';
import { joinedTexts, objectOf, objectsOf, type SlackObject, textOf } from './objects.ts';
import { quoted } from './quoted.ts';

/** What Slack writes in place of blocks. */
const NO_PREVIEW = '[no preview available]';

export function mrkdwnOfAttachment(attachment: SlackObject): string {
  const isMessage = attachment.is_share === true || attachment.is_msg_unfurl === true;
  return isMessage ? sharedMessage(attachment) : joinedTexts([authorOf(attachment), bodyOf(attachment)], '\n\n');
}

/** A message of another person. */
function sharedMessage(attachment: SlackObject): string {
  const author = bold(decoded(textOf(attachment.author_name) || textOf(attachment.author_subname)));
  const url = textOf(attachment.from_url);
  const source = url === '' ? 'said' : linked('said', decoded(url));
  return `${author === '' ? '' : `${author} `}${source}:\n${quoted(bodyOf(attachment))}`;
}

/** A person, or the site of a link. */
function authorOf(attachment: SlackObject): string {
  const [name, site] = [textOf(attachment.author_name), textOf(attachment.service_name)];
  if (name === '') return heading(site, textOf(attachment.service_url), literalLine);
  return heading(name, textOf(attachment.author_link), literalLine);
}

function heading(text: string, url: string, plain: (text: string) => string): string {
  if (text === '') return '';
  return url === '' ? plain(decoded(text)) : linked(decoded(text), decoded(url));
}

function bodyOf(attachment: SlackObject): string {
  const text = textOf(attachment.text);
  const shared = text === '' ? objectsOf(attachment.message_blocks).map((one) => objectOf(one.message).blocks) : [];
  const content = joinedTexts(
    [
      heading(textOf(attachment.title), textOf(attachment.title_link), bold),
      text,
      ...[attachment.blocks, ...shared].map(mrkdwnOfBlocks),
      listOf(objectsOf(attachment.fields).map(fieldOf)),
      imageOf(attachment.image_url),
    ],
    '\n\n',
  );
  const fallback = textOf(attachment.fallback);
  return joinedTexts(
    [
      textOf(attachment.pretext),
      content === '' && fallback !== NO_PREVIEW ? literalLine(decoded(fallback)) : content,
      joinedTexts(objectsOf(attachment.actions).map(buttonOf), ' '),
      joinedTexts([literalLine(decoded(textOf(attachment.footer))), timeOf(attachment)], ' · '),
    ],
    '\n\n',
  );
}

const MIN_TIME_SECONDS = 1_000_000_000;
const MAX_TIME_SECONDS = 253_402_300_799;

/** Slack shows the time beside the footer, but not that of a shared message, which has a link. */
function timeOf({ ts, is_share: isShare, is_msg_unfurl: isUnfurl }: SlackObject): string {
  const seconds = Math.floor(Number(textOf(ts) || Number.NaN));
  const isTime = seconds >= MIN_TIME_SECONDS && seconds <= MAX_TIME_SECONDS;
  if (!isTime || isShare === true || isUnfurl === true) return '';
  return markdown(`<time:${new Date(seconds * 1000).toISOString().slice(0, 19)}Z>`);
}

function fieldOf({ title, value }: SlackObject): string {
  const name = bold(decoded(textOf(title)));
  return joinedTexts([name === '' ? '' : `${name}:`, textOf(value)], ' ');
}

/** A button with an address. Others only work in Slack. */
function buttonOf({ text, url }: SlackObject): string {
  const address = decoded(textOf(url));
  return address === '' ? '' : linked(decoded(textOf(text)) || 'link', address);
}

function imageOf(url: unknown): string {
  const address = textOf(url);
  return address === '' ? '' : linked('image', decoded(address));
}
