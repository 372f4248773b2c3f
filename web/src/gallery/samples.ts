import type { Option } from '../design/list-box.tsx';
import type { GridPicture } from '../design/picture-grid.tsx';

const FIRST = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Ken', 'Margaret', 'Dennis'];
const LAST = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Perlman',
  'Thompson',
  'Hamilton',
  'Ritchie',
];

/** A hundred people. */
export const PEOPLE = FIRST.flatMap((first, i) =>
  LAST.map((last, j) => ({
    id: i * 10 + j + 1,
    name: `${first} ${last}`,
    email: `${first}.${last}@example.com`.toLowerCase(),
  })),
);

export const PERSON_OPTIONS: readonly Option[] = PEOPLE.map(({ id, name, email }) => ({
  key: `${id}`,
  label: name,
  detail: email,
}));

/** Options whose label contains the text. */
export function searchPeople(text: string): readonly Option[] {
  const wanted = text.toLowerCase();
  return PERSON_OPTIONS.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 50);
}

export const CHANNELS = [
  'announcements',
  'design',
  'engineering',
  'general',
  'incidents',
  'random',
  'release notes',
  'support',
];

function square(colour: string): string {
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${colour}" d="M0 0h8v8H0z"/></svg>`)}`;
}

/** One that moves, one without a still picture, and one that does not move. */
export const PICTURES: readonly GridPicture[] = [
  { key: 'first', label: 'Teal', url: square('orange'), stillUrl: square('teal') },
  { key: 'second', label: 'A cat on a loom', url: square('orange'), stillUrl: null },
  { key: 'third', label: 'Grey', url: square('grey') },
];
