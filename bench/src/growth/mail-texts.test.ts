import { test } from 'node:test';
import { messageBlock } from '@heddle/server/domain/notifications/mail-parts/message-block.ts';
import { assertLinear } from './growth.ts';

// rules: mail-4
test('a message becomes the text of a mail in linear time, however many spaces a line has', () => {
  assertLinear('a line with spaces', { short: 6_250, long: 50_000 }, (length) => {
    const rendered = `<p>a${' '.repeat(length)}b<br>\nc</p>`;
    return () => messageBlock(rendered, 'https://chat.example.com');
  });
});
