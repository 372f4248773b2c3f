import { test } from 'node:test';
import { customEmojiName, replaceEmojiNames } from '@heddle/operator/import/conversion/emoji.ts';
import type { References } from '@heddle/operator/import/conversion/neutral.ts';
import { markdownOf } from '@heddle/operator/import/mattermost/mattermost-markup.ts';
import { renderMessage } from '@heddle/server/markup/index.ts';
import { slackPieces } from '@heddle/server/markup/slack/mrkdwn.ts';
import { sampleDirectory, sampleOptions } from '@heddle/server/testing/model/sample-directory.ts';
import { assertLinear } from './growth.ts';

const SLACK_PARTS = [
  ...['*a', '*a(', '_a ', '<@', '<a|', '`', '```', '```x', '~ ', '&lt;', '&gt;', '&gt;&gt;&gt;', '* _~', '• ', '\n'],
  ...['\ue000', '\ue003', '\ue003x', '<@U1>', '    • a\n'],
];

test('reading hostile texts of Slack takes linear time', () => {
  for (const part of SLACK_PARTS)
    assertLinear(`a text of ${JSON.stringify(part)}`, { short: 10_000, long: 80_000 }, (count) => {
      const text = part.repeat(count);
      return () => slackPieces(text);
    });
});

test('the end of an address is found in linear time, however many stars and colons the address has', () => {
  for (const closer of ['*', ':', '*:'])
    assertLinear(`an address with ${closer}`, { short: 1_250, long: 10_000 }, (length) => {
      const source = `http://a.b/${closer.repeat(Math.floor((length - 20) / closer.length))}x`;
      return () => {
        for (let count = 0; count < 20; count += 1) renderMessage(source, sampleDirectory, sampleOptions);
      };
    });
});

test('converting brackets of Mattermost and long names of emoji takes linear time', () => {
  const nothing = () => undefined;
  const references: References = {
    ...{ mention: nothing, mentionByName: nothing, groupMention: nothing },
    ...{ channel: nothing, channelByName: nothing, message: nothing, file: nothing },
  };
  assertLinear('a text of brackets', { short: 6_000, long: 48_000 }, (length) => {
    const text = '['.repeat(length - length / 6) + '[x]('.repeat(length / 24);
    return () => replaceEmojiNames(markdownOf(text, references, nothing), nothing);
  });
  assertLinear('the name of an emoji', { short: 25_000, long: 200_000 }, (length) => {
    const name = `${'_'.repeat(length)}x`;
    return () => customEmojiName(name);
  });
});
