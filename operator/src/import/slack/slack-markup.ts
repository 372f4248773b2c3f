/** Slack's markup ("mrkdwn") as Markdown with mentions and links of the new organization. */
import { type SlackPiece, slackPieces } from '@heddle/server/markup/slack/mrkdwn.ts';
import type { References } from '../conversion/neutral.ts';
import { SLACKBOT } from './slack-senders.ts';

export function markdownOf(text: string, references: References): string {
  const whole = slackPieces(text)
    .map((piece) => rendered(piece, references))
    .join('');
  return whole.replaceAll(ROW, (row) => row.replaceAll(MENTION_WITH_ID, '$1'));
}

/** A row of a table. A pipe in a cell would end it. */
const ROW = /^\| .* \|$/gm;
const MENTION_WITH_ID = /(@_?\*\*[^*|\n]{1,200})\|\d{1,20}(?=\*\*)/g;

function rendered(piece: SlackPiece, references: References): string {
  switch (piece.kind) {
    case 'text':
      // Skin tones of emoji have no counterpart.
      return piece.markdown.replaceAll(/:skin-tone-\d:/g, '');
    case 'verbatim':
      return piece.markdown;
    case 'user':
      return (
        references.mention(piece.id) ?? `@${piece.label ?? (piece.id === SLACKBOT.key ? SLACKBOT.name : piece.id)}`
      );
    case 'channel':
      return references.channel(piece.id) ?? `#${piece.label ?? piece.id}`;
    case 'group':
      return references.groupMention(piece.id) ?? `@${piece.label ?? piece.id}`;
    case 'everybody':
      return '@**all**';
    case 'name':
      return piece.label;
    case 'link':
      return linkOf(piece, references);
  }
}

/** Also of a link in a cell. */
const PIPE = '&#124;';

/** A link to a message of the workspace: `https://team.slack.com/archives/C012/p1700000000000100`. */
const PERMALINK = /^https:\/\/[\w.-]+\.slack\.com\/archives\/(\w+)\/p(\d{10})(\d{6})(?:[?#].*)?$/;

function linkOf(piece: SlackPiece & { readonly kind: 'link' }, references: References): string {
  const { url: target, label, isEmphasized } = piece;
  const [, channel, seconds, micros] = PERMALINK.exec(target) ?? [];
  const url = (channel && references.message(`${channel} ${seconds}.${micros}`)) || target;
  if (target.startsWith('mailto:')) return label ?? target.slice('mailto:'.length);
  // An address alone would go on over the end of the emphasis.
  const isPlain = (label === undefined || label === target) && url === target && !isEmphasized;
  if (isPlain) return target;
  return `[${(label ?? target).replaceAll(/[[\]]/g, '\\$&').replaceAll('|', PIPE)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
