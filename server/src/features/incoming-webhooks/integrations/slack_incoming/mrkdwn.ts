import { type SlackPiece, slackPieces } from '../../../../markup/slack/mrkdwn.ts';
import { EVERYBODY, joined, link, type Markdown, md, withFormatting } from '../../markdown.ts';

/** Slack's markup in ours. References name people and channels of Slack, so they become their names. */
export function fromSlack(mrkdwn: string): Markdown {
  return joined(slackPieces(mrkdwn).map(rendered), '');
}

function rendered(piece: SlackPiece): Markdown {
  switch (piece.kind) {
    case 'user':
    case 'group':
      return md`@${piece.label ?? piece.id}`;
    case 'channel':
      return md`#${piece.label ?? piece.id}`;
    case 'everybody':
      return EVERYBODY;
    case 'name':
      return md`${piece.label}`;
    case 'link': {
      const { url, label } = piece;
      return url.startsWith('mailto:') ? md`${label ?? url.slice('mailto:'.length)}` : link(label ?? url, url);
    }
    default:
      return withFormatting(piece.markdown);
  }
}
