/** Whether a password that a person chooses is one of those that others try first. Its length is `checkedPassword`'s. */

/** What people choose all over the world, without the digits and signs that they put around it. */
const COMMON = new Set(
  `password passwort passwd passw motdepasse contrasena senha welcome willkommen bienvenue hello letmein iloveyou
   qwerty qwertyuiop qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd admin administrator root login
   guest user master dragon monkey football baseball basketball superman batman pokemon sunshine princess shadow
   michael jordan jennifer charlie freedom whatever trustno starwars computer internet samsung google secret
   changeme changeit default test testing summer winter spring autumn monday january company chat team zulip heddle
   abc abcd abcdef abcdefg abcdefgh love lovely flower hunter killer pepper ginger cheese cookie matrix`.split(/\s+/),
);
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];
/** Characters that must be left when what everybody knows of a person is taken away, or what stands in a row on the keyboard. */
const LEAST = 5;

/**
 * Why it is too easy to guess; undefined where it is not.
 * @param known what others know of the person: names, addresses, the organization
 */
export function weaknessOf(password: string, known: readonly string[]): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  const plain = text.replace(/@/g, 'a').replace(/0/g, 'o').replace(/1/g, 'i').replace(/3/g, 'e').replace(/\$/g, 's');
  const core = (one: string) => one.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (COMMON.has(core(text)) || COMMON.has(core(plain))) return 'This password is one of those that others try first.';
  if (new Set(text).size < LEAST) return 'This password repeats a few characters.';
  if (withoutRows(text).length < LEAST) return 'This password is a row of neighbouring characters.';
  const parts = known.flatMap((one) => one.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length >= 3);
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text);
  if (rest.length < LEAST) return 'This password is made of what others know of you.';
  return undefined;
}

/** Of each run of at least three characters that follow each other in a row, either way, one is left. */
function withoutRows(text: string): string {
  let rest = '';
  let run = 1;
  for (let index = 0; index < text.length; index += 1) {
    const follows = index > 0 && ROWS.some((row) => neighbours(row, text.slice(index - 1, index + 1)));
    run = follows ? run + 1 : 1;
    if (run < 3) rest += text[index];
  }
  return rest;
}

function neighbours(row: string, pair: string): boolean {
  return row.includes(pair) || row.includes([...pair].reverse().join(''));
}
