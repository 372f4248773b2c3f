/**
 * Whether a password is easy to guess. Only `passwordProblem` (`credentials/passwords.ts`) calls this; it also checks
 * the length.
 */
import { type Message, msg } from '../../../languages/language.ts';

/** The most common passwords of the world, without digits and symbols around them. */
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
/** The fewest characters that must remain without personal words and keyboard patterns. */
const MIN_REMAINING_CHARACTERS = 5;

/**
 * Why the password is too easy to guess; undefined if it is not.
 * @param known what others know about the person: names, addresses, the organization
 */
export function weaknessOf(password: string, known: readonly string[]): Message | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  const plain = text.replace(/@/g, 'a').replace(/0/g, 'o').replace(/1/g, 'i').replace(/3/g, 'e').replace(/\$/g, 's');
  const core = (one: string) => one.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (COMMON.has(core(text)) || COMMON.has(core(plain)))
    return msg('This password is easy to guess: it is a common one.');
  if (new Set(text).size < MIN_REMAINING_CHARACTERS)
    return msg('This password is easy to guess: it repeats a few characters.');
  if (withoutRows(text).length < MIN_REMAINING_CHARACTERS)
    return msg('This password is easy to guess: it is a keyboard pattern.');
  const parts = known.flatMap((one) => one.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length >= 3);
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text);
  if (rest.length < MIN_REMAINING_CHARACTERS)
    return msg('This password contains your name, your email address or the name of the organization.');
  return undefined;
}

/** Reduces each keyboard pattern of at least three characters, in either direction, to one character. */
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
