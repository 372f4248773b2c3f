/** Mails that are expensive to read. Each is at most as large as the gateway accepts. */
const MIB = 1024 * 1024;
const SIZE = 24 * MIB;

const head = (type: string, more = '') =>
  `From: Mallory <FROM>\r\nTo: TO\r\nMessage-ID: <MESSAGE>\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n${more}\r\n`;
const filled = (text: string, size = SIZE) => text.repeat(Math.ceil(size / text.length));

const nested = (depth: number) =>
  Array.from({ length: depth }, (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`).join(
    '',
  );

const messageInMessage = (depth: number) =>
  `${'Content-Type: message/rfc822\r\n\r\n'.repeat(depth)}Content-Type: text/plain\r\n\r\n${filled('word ', 10 * MIB)}`;

/** By name. The placeholders `FROM`, `TO` and `MESSAGE` are to be replaced. */
export const hostileMails: Readonly<Record<string, () => string>> = {
  'deep MIME nesting': () => head('multipart/mixed; boundary=b0') + nested(50_000),
  '100,000 parts': () =>
    head('multipart/mixed; boundary=b') + '--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n'.repeat(100_000),
  'millions of parts': () => head('multipart/mixed; boundary=b') + filled('--b\r\n\r\n'),
  'one giant header': () => head('text/plain', `X-Long: ${filled('a')}\r\n`),
  'a million headers': () => head('text/plain', filled('X: y\r\n')),
  'addresses without end': () => head('text/plain', `Reply-To: ${filled('"a" (b) <c@d.e>,', 240_000)}\r\n`),
  'comments that do not end': () => head(`text/plain; x=${'('.repeat(200_000)}`),
  'quoted-printable': () =>
    head('text/plain', 'Content-Transfer-Encoding: quoted-printable\r\n') + filled('=3D=\r\n=E2=82=AC'),
  'another character set': () => head('text/plain; charset=gb18030') + filled('\u00c4\u00d6', SIZE / 2),
  'tags that do not end': () => head('text/html') + filled('<a href="<!--<script>'),
  'deeply nested tags': () => head('text/html') + filled('<b>', 600_000),
  'nested lists and quotes': () => head('text/html') + filled('<ul><li><blockquote>', 200_000),
  'many links': () => head('text/html') + filled('<a href="https://example.com">x</a>', 200_000),
  'messages in messages': () => head('message/rfc822') + messageInMessage(200),
  'one long line': () => head('text/plain') + filled('On Monday, > '),
  'lines of a quote': () => head('text/plain') + filled('> \r\n'),
};
