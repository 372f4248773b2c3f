/** The whole text of a Slack message as mrkdwn: its text or its blocks, and its attachments. */
import { mrkdwnOfAttachment } from './attachments.ts';
import { mrkdwnOfBlocks } from './blocks.ts';
import { joinedTexts, objectsOf, type SlackObject, textOf } from './objects.ts';

const MAX_ATTACHMENTS = 100;

/** What Slack stores as the text of a message that only has blocks. */
const WITHOUT_TEXT = /^(?:This content can't be displayed\.|This message contains interactive elements\.)?$/;

/**
 * Slack shows blocks in place of the text.
 * @param isByPerson then the text says all that formatted text in blocks says
 */
export function mrkdwnOfMessage({ text, blocks, attachments }: SlackObject, isByPerson: boolean): string {
  const own = textOf(text);
  const isComplete =
    isByPerson && !WITHOUT_TEXT.test(own.trim()) && objectsOf(blocks).every(({ type }) => type === 'rich_text');
  const shown = isComplete ? own : mrkdwnOfBlocks(blocks) || own;
  return joinedTexts([shown, ...objectsOf(attachments).slice(0, MAX_ATTACHMENTS).map(mrkdwnOfAttachment)], '\n\n');
}
