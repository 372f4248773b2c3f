/** Blocks and attachments of Slack messages (https://api.slack.com/reference/block-kit/blocks). */
import { bold, joined, link, type Markdown, md, withFormatting } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { fromSlack } from './mrkdwn.ts';
import { richText } from './rich-text.ts';

const MAX_FIELDS = 20;

/** The text of a block; empty for blocks that only work in Slack, such as buttons. */
export function blockText(block: Payload): Markdown {
  switch (block.text('type')) {
    case 'header':
      return bold(block.text('text', 'text'));
    case 'section':
      return joined([textObject(block.at('text')), fieldsOf(block), accessory(block.at('accessory'))], '\n\n');
    case 'context':
      return joined(
        block
          .list('elements')
          .slice(0, MAX_FIELDS)
          .map((element) => (element.text('type') === 'image' ? image(element) : textObject(element))),
        ' ',
      );
    case 'image':
      return image(block);
    case 'rich_text':
      return richText(block);
    case 'markdown':
      return withFormatting(block.text('text'));
    case 'divider':
      return md`----`;
    default:
      return md``;
  }
}

function textObject(text: Payload): Markdown {
  const content = text.text('text');
  return text.text('type') === 'plain_text' ? md`${content}` : fromSlack(content);
}

function fieldsOf(block: Payload): Markdown {
  const fields = block.list('fields').slice(0, MAX_FIELDS).map(textObject);
  return joined(
    fields.map((field) => (field.toString() === '' ? md`` : md`* ${field}`)),
    '\n',
  );
}

function accessory(element: Payload): Markdown {
  return element.text('type') === 'image' ? image(element) : md``;
}

function image(block: Payload): Markdown {
  const title = block.text('title', 'text') || block.text('alt_text') || 'image';
  return link(title, block.text('image_url'));
}

/** Attachments, the older form. */
export function attachmentText(attachment: Payload): Markdown {
  const title = attachment.text('title');
  const blocks = attachment.list('blocks').slice(0, MAX_FIELDS).map(blockText);
  const fields = attachment
    .list('fields')
    .slice(0, MAX_FIELDS)
    .map((field) => md`* ${bold(field.text('title'))}: ${fromSlack(field.text('value'))}`);
  const hasText = attachment.text('text') !== '' || title !== '' || blocks.length > 0;
  return joined(
    [
      fromSlack(attachment.text('pretext')),
      title !== '' && bolded(title, attachment.text('title_link')),
      fromSlack(attachment.text('text')),
      ...blocks,
      joined(fields, '\n'),
      attachment.text('image_url') !== '' && link('image', attachment.text('image_url')),
      !hasText && md`${attachment.text('fallback')}`,
      md`${attachment.text('footer')}`,
    ],
    '\n\n',
  );
}

function bolded(title: string, url: string): Markdown {
  return url === '' ? bold(title) : link(title, url);
}
