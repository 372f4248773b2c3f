import type { Option } from '../design/list-box.tsx';

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
