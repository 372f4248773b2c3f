import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mrkdwnOfMessage } from '@heddle/server/markup/slack/messages.ts';
import { markdownOf } from '../slack/slack-markup.ts';
import { attachmentText } from './mattermost-attachments.ts';

const nothing = () => undefined;
const references = {
  ...{ mention: nothing, groupMention: nothing, mentionByName: nothing, channel: nothing, channelByName: nothing },
  ...{ message: nothing, file: nothing },
};

const whole = {
  ...{
    pretext: 'A pretext',
    author_name: 'Build [robot]',
    author_link: 'https://ci.example/u',
    author_icon: 'https://x/y.png',
  },
  ...{ title: 'Build *4*', title_link: 'https://ci.example/4?a=1&b=(2)', text: 'all green', fallback: 'plain' },
  fields: [
    { title: 'Host', value: 'db1', short: true },
    { title: 'Log', value: 'one\ntwo' },
    { title: '', value: 'alone' },
  ],
  ...{ image_url: 'https://ci.example/4.png', footer: 'CI of the weavers', color: 'good' },
};

test('an attachment of Mattermost has the same text as one of Slack', () => {
  const cases: readonly Readonly<Record<string, unknown>>[] = [
    whole,
    { title: 'Only a title' },
    { author_name: 'Ada', text: 'said' },
    { fallback: 'only a fallback' },
    { title: 'x', title_link: 'javascript:alert(1)', footer: '' },
    { image_url: 'https://ci.example/5.png' },
    {
      text: 'red',
      actions: [
        { type: 'button', text: 'Log', url: 'https://ci.example/log' },
        { type: 'button', text: 'Retry', url: 'https://ci.example/retry' },
        { type: 'button', text: 'Acknowledge', value: '1' },
      ],
      footer: 'CI',
    },
    { text: 'at', ts: 1_700_000_000 },
    { text: 'at', footer: 'CI', ts: '1700000000' },
    { text: 'at', footer: 'CI', ts: 'soon' },
    {},
  ];
  for (const attachment of cases) {
    const ofSlack = markdownOf(mrkdwnOfMessage({ attachments: [attachment] }, false), references);
    assert.equal(shown(attachmentText(attachment)), shown(ofSlack), JSON.stringify(attachment));
  }
});

test('pictures, authors and footers are kept, and values of fields need not be texts', () => {
  const text = attachmentText({
    ...whole,
    fields: [{ title: 'n', value: 5 }, { title: 'b', value: false }, { value: {} }],
  });
  assert.match(
    text,
    /^\[Build .*robot.*\]\(https:\/\/ci\.example\/u\)\n\nA pretext\n\n\[Build .*\]\(https:\/\/ci\.example\/4\?a=1&b=%282%29\)/,
  );
  assert.match(
    text,
    /\* \*\*n:?\*\*:? 5\n\* \*\*b\*\*: false\n\n\[image\]\(https:\/\/ci\.example\/4\.png\)\n\nCI of the weavers$/,
  );
  assert.equal(attachmentText({ thumb_url: 'https://x.example/t.png' }), '[image](https://x.example/t.png)');
});

/** Two ways to write a character without its meaning are the same text. */
function shown(markdown: string): string {
  return markdown.replaceAll(/&#(\d+);|\\([[\]])/g, (_, code?: string, escaped?: string) =>
    code === undefined ? (escaped ?? '') : String.fromCharCode(Number(code)),
  );
}
