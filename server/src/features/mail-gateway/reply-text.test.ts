import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replyText } from './reply-text.ts';

const own = { name: '', address: 'noreply@chat.example.com' };
const cut = (text: string) => replyText(text, own);

// rules: mail-16
test('quotes at the end, their introductions and signatures are cut', () => {
  const mails = [
    'Yes.\n\nOn Monday, Ada wrote:\n> Question?',
    'Yes.\r\n\r\nAm Montag schrieb Ada:\r\n\r\n> Frage?\r\n>\r\n> Ada\r\n',
    'Yes.\n\n-----Original Message-----\nFrom: Ada\n\nQuestion?',
    'Yes.\n\nFrom: Ada <ada@example.com>\nSent: Monday\nTo: Bob\n\nQuestion?',
    'Yes.\n\nVon: Ada <ada@example.com>\nGesendet: Montag\n\nFrage?',
    'Yes.\n-- \nBob\n',
    'Yes.\n\nSent from my iPhone',
    '  \nYes.\n\n> Question?\n',
  ];
  for (const mail of mails) assert.equal(cut(mail), 'Yes.', mail);
});

// rules: mail-16
test('answers between quotes stay, and so do lines that only look like a part of a mail', () => {
  const between = '> One?\nYes.\n\n> Two?\nNo.';
  assert.equal(cut(between), between);
  const list = 'From: what I know\n\nI need:\n- thread';
  assert.equal(cut(list), list);
});

// rules: mail-16
test('what a user writes stays, also if it looks like a part of a mail', () => {
  const texts = [
    'Here is the list.\n\nSent from the warehouse today: 3 boxes.\nMore tomorrow.',
    'Sent from the phone shop: 3 boxes.',
    'The boxes were sent from my office',
    'Please call my mobile phone',
    'Plan:\nFrom: Berlin\nDate: Monday\nBring the loom!',
    'Plan:\nFrom: Berlin\nDate: Monday\nContact: bob@example.com\nBring the loom!',
    'Options:\n--\nA or B?',
    'Done.\n--\nBob',
    'Sent from my iPhone\n\nis what my phone adds.',
    '-- original message: lost --',
    'Why do I get mails of noreply@chat.example.com:\nI want none.',
    'Block noreply@chat.example.com, please.\n\nThanks: Bob\nRoom: 4',
    'Part one\n\n________________________________\n\nPart two',
    'Ada: ada@example.com\nBob: bob@example.com\nCy: cy@example.com\nDee: dee@example.com',
  ];
  for (const text of texts) assert.equal(cut(text), text);
  const quote = '> Question?';
  for (const text of ['Yes to this:', 'First line\nsecond line\nI agree with:'])
    assert.equal(cut(`${text}\n\n${quote}`), text, 'the line before the quote is of the user');
  const introduction = 'On Thu, Nov 26, 2026, Ada <ada@example.com> wrote:';
  assert.equal(cut(`First line\nsecond line\n${introduction}\n${quote}`), 'First line\nsecond line');
  const between =
    'On Fri, Nov 27, 2026 at 11:18 AM <noreply@chat.example.com> wrote:\n\n> One?\n\nA: b\nC: d\n\n> Two?\n\nNo.';
  assert.equal(cut(between), between);
});

const quoted =
  '> #ch > weft\n>\n> Owner (27 Nov):\n> look\n>\n> Stop mails about missed messages:\n> https://x/5-abc\n';
const unquoted = '#ch > weft\n\nOwner (27 Nov):\n\nlook at this\n';
const address = 'noreply@chat.example.com';

// rules: mail-16
test('the introductions of quotes are cut in any language', () => {
  const introductions = [
    `On Fri, Nov 27, 2026 at 11:18 AM <${address}> wrote:`,
    `On Thu, Nov 26, 2026 at 11:18 AM Heddle of the Weavers\n<${address}> wrote:`,
    `Am Fr., 27. Nov. 2026 um 11:18 Uhr schrieb <${address}>:`,
    `Le ven. 27 nov. 2026 à 11:18, <${address}> a écrit :`,
    `<${address}> 于2026年11月27日周五 11:18写道：`,
    `2026년 11월 27일 (금) 오전 11:18, <${address}>님이 작성:`,
    `2026年11月27日(金) 11:18 <${address}>:`,
    `pt., 27 lis 2026 o 11:18 <${address}> napisał(a):`,
    `Пятница, 27 ноября 2026, 11:18 +03:00 от ${address}:`,
    `27.11.26 11:18, ${address} kirjoitti:`,
  ];
  for (const introduction of introductions) {
    assert.equal(cut(`Yes.\n\n${introduction}\n\n${quoted}`), 'Yes.', introduction);
    assert.equal(cut(`Yes.\n\n${introduction}\n\n${unquoted}`), 'Yes.', introduction);
  }
  const named = { name: 'Heddle', address };
  assert.equal(replyText(`Yes.\n\nAm 27.11.26 um 11:18 hat Heddle geschrieben:\n${quoted}`, named), 'Yes.');
  assert.equal(cut(`Yes.\n\n> Am 27.11.26 um 11:18 schrieb ${address}:\n> \n${quoted}`), 'Yes.');
});

/** The labels of sender, time, recipient and title in Outlook. */
const OUTLOOK = [
  'From:|Sent:|To:|Subject:',
  'Von:|Gesendet:|An:|Betreff:',
  'De :|Envoyé :|À :|Objet :',
  'De\u00a0:|Envoyé\u00a0:|À\u00a0:|Objet\u00a0:',
  'De:|Enviado:|Para:|Asunto:',
  'Da:|Inviato:|A:|Oggetto:',
  'De:|Enviada:|Para:|Assunto:',
  'Van:|Verzonden:|Aan:|Onderwerp:',
  'Od:|Wysłane:|Do:|Temat:',
  '差出人:|送信日時:|宛先:|件名:',
  'От:|Отправлено:|Кому:|Тема:',
  '发件人:|发送时间:|收件人:|主题:',
  'Från:|Skickat:|Till:|Ämne:',
  '보낸 사람:|보낸 날짜:|받는 사람:|제목:',
  'מאת:|נשלח:|אל:|נושא:',
  '*From:*|*Sent:*|*To:*|*Subject:*',
  '**From:**|**Sent:**|**To:**|**Subject:**',
];

// rules: mail-16
test('a mail that is quoted with its headers is cut in any language, with the line above it', () => {
  const rules = ['________________________________', '---', '------------------ 原始邮件 ------------------', ''];
  for (const labels of OUTLOOK) {
    const [from, sent, to, title] = labels.split('|');
    const headers = `${from} Heddle <${address}>\n${sent} Friday, November 27, 2026 11:18\n${to} Bea <bea@example.com>\n${title} #ch > weft`;
    for (const rule of rules)
      assert.equal(cut(`Yes.\n\n${rule}\n${headers}\n\n${unquoted}`), 'Yes.', `${rule}\n${headers}`);
    assert.equal(cut(`Yes.\n\n---\n\n${headers.replaceAll('\n', '\n\n')}\n\n${unquoted}`), 'Yes.', headers);
  }
  const timeFirst = `Gesendet: Freitag, 27. November 2026 um 11:18 Uhr\nVon: ${address}\nAn: bea@example.com\nBetreff: x\n`;
  assert.equal(cut(`Yes.\n\n${timeFirst}\n${unquoted}`), 'Yes.');
  const table = `---- Replied Message ----\n| From | ${address}<${address}> |\n| Date | 11/27/2026 11:18 |\n| To | bea@example.com |\n`;
  assert.equal(cut(`Yes.\n\n${table}\n${unquoted}`), 'Yes.');
  assert.equal(cut(`Yes.\n\n-----Original Message-----\nFrom: ${address}\nSent: Friday\n\n${unquoted}`), 'Yes.');
});

// rules: mail-16
test('signatures of programs on phones are cut, above a quote, below it, and without one', () => {
  const signatures = [
    'Sent from my iPhone',
    'Sent from my iPhone 15 Pro.',
    'Sent from my Samsung Galaxy smartphone.',
    'Sent from Yahoo Mail for iPhone',
    'Sent from Outlook for Android',
    'Sent from Mail for Windows',
    'Get Outlook for iOS<https://aka.ms/o0ukef>',
    'Get Outlook for iOS (https://aka.ms/o0ukef)',
    'Von meinem iPhone gesendet',
    'Gesendet von Outlook für Android',
    'Holen Sie sich Outlook für iOS<https://aka.ms/o0ukef>',
    'Diese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.',
    'Envoyé de mon iPhone',
    'Télécharger Outlook pour iOS',
    'Enviado desde mi iPhone',
    'Enviado do meu iPhone',
    'Inviato da iPhone',
    'Verstuurd vanaf mijn iPhone',
    'Skickat från min iPhone',
    'Sendt fra min iPhone',
    'Wysłane z iPhone',
    'Отправлено с iPhone',
    'iPhoneから送信',
    '发自我的iPhone',
    '從我的 iPhone 傳送',
    '나의 iPhone에서 보냄',
    "iPhone'umdan gönderildi",
  ];
  for (const signature of signatures) {
    assert.equal(cut(`Yes.\n\n${signature}\n`), 'Yes.', signature);
    assert.equal(cut(`Yes.\n\n${signature}\n\n${quoted}`), 'Yes.', signature);
    assert.equal(cut(`Yes.\n\n${quoted}\n${signature}`), 'Yes.', signature);
    const headers = `From: ${address}\nSent: Friday\nTo: Bea\nSubject: x\n`;
    assert.equal(cut(`Yes.\n\n${signature}\n________________________________\n${headers}\nlook`), 'Yes.', signature);
  }
  assert.equal(cut('Yes.\n\n--\nSent from my iPhone'), 'Yes.');
});

// rules: mail-16
test('a long hostile text takes no long time', () => {
  const hostile = [
    `On ${'a '.repeat(50_000)}`,
    '>'.repeat(50_000),
    `${'_'.repeat(50_000)}x`,
    `${address}:\n`.repeat(8_000),
    `${address} 2026:${'\n'.repeat(200_000)}`,
    `From: ${address}\n`.repeat(7_000),
    `${'sent '.repeat(29)}\n`.repeat(1_000),
    `${' '.repeat(200_000)}:`,
    ':'.repeat(200_000),
    '\n'.repeat(200_000),
    'From:\n'.repeat(20_000),
  ];
  for (const text of hostile) assert.equal(typeof cut(text), 'string');
});
