import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replyText } from './reply-text.ts';

// rules: mail-16
test('quotes at the end, their introductions and signatures are cut', () => {
  const mails = [
    'Yes.\n\nOn Monday, Ada wrote:\n> Question?',
    'Yes.\r\n\r\nAm Montag schrieb Ada:\r\n\r\n> Frage?\r\n>\r\n> Ada\r\n',
    'Yes.\n\n-----Original Message-----\nFrom: Ada\n\nQuestion?',
    'Yes.\n\nFrom: Ada <ada@example.com>\nSent: Monday\nTo: Bob\n\nQuestion?',
    'Yes.\n\nVon: Ada\nGesendet: Montag\n\nFrage?',
    'Yes.\n-- \nBob\n',
    'Yes.\n\nSent from my iPhone',
    '  \nYes.\n\n> Question?\n',
  ];
  for (const mail of mails) assert.equal(replyText(mail), 'Yes.', mail);
});

// rules: mail-16
test('answers between quotes stay, and so do lines that only look like a part of a mail', () => {
  const between = '> One?\nYes.\n\n> Two?\nNo.';
  assert.equal(replyText(between), between);
  const list = 'From: what I know\n\nI need:\n- thread';
  assert.equal(replyText(list), list);
});

// rules: mail-16
test('a long hostile text takes no long time', () => {
  const hostile = [`On ${'a '.repeat(50_000)}`, '>'.repeat(50_000), `${'_'.repeat(50_000)}x`, 'From:\n'.repeat(20_000)];
  for (const text of hostile) assert.equal(typeof replyText(text), 'string');
});
