/** The people of the sample organization, which forecasts tides. */
import { Role } from '@heddle/server/directory/records.ts';
import type { Portrait } from './sample-pictures.ts';

export interface SamplePerson {
  readonly name: string;
  readonly role?: Role;
  /** The text and the emoji of the status. */
  readonly status?: readonly [text: string, emoji: string];
  readonly presence?: 'active' | 'idle';
  /** What the person does, for the profile. */
  readonly work: string;
  readonly portrait?: Portrait;
}

/** The short names are used in the messages. */
export type Short = keyof typeof PEOPLE;

/** The owner of the organization is `mara`. The pictures show the app as she sees it. */
export const PEOPLE = {
  mara: {
    name: 'Mara Lindqvist',
    presence: 'active',
    work: 'Head of product',
    portrait: face('#f6cfae', '#f0b48a', '#e9b796', '#8a4b2a', '#2f4858', 'long'),
  },
  jonas: {
    name: 'Jonas Okafor',
    role: Role.administrator,
    presence: 'active',
    status: ['Focus until noon', 'headphones'],
    work: 'Backend engineer',
    portrait: face('#cfe3d8', '#8fc0a6', '#8a5a3c', '#1f1713', '#e2a63b', 'short'),
  },
  priya: {
    name: 'Priya Raman',
    role: Role.moderator,
    presence: 'active',
    work: 'Design lead',
    portrait: face('#e6d6f2', '#bd9bd8', '#b57c55', '#20161a', '#b3395b', 'bun'),
  },
  tomas: {
    name: 'Tomás Herrera',
    presence: 'idle',
    work: 'iOS engineer',
    portrait: face('#cfe0f3', '#8fb4dd', '#d9a47f', '#3a2a20', '#3f6a4a', 'curls'),
  },
  yuki: {
    name: 'Yuki Tanabe',
    presence: 'active',
    status: ['In a meeting', 'calendar'],
    work: 'Data scientist',
    portrait: face('#fbe7c6', '#f2c77d', '#f0cba6', '#17151a', '#4d5fa8', 'long'),
  },
  elif: {
    name: 'Elif Aydın',
    presence: 'idle',
    work: 'Support',
    portrait: face('#d8efe9', '#92cfc0', '#e5b694', '#5a3a26', '#7b4b94', 'curls'),
  },
  sam: {
    name: 'Sam Whitfield',
    work: 'Hydrologist',
    portrait: face('#e1e5ea', '#b3bdc9', '#f1c7a8', '#c9c3bb', '#456173', 'short'),
  },
  noor: {
    name: 'Noor van Dijk',
    presence: 'active',
    work: 'Site reliability',
    portrait: face('#fddcd4', '#f3a593', '#c98e66', '#2b1d17', '#20424f', 'bun'),
  },
  luca: { name: 'Luca Moretti', work: 'Android engineer' },
  greta: {
    name: 'Greta Sørensen',
    status: ['On vacation until Monday', 'palm_tree'],
    work: 'Finance',
    portrait: face('#e8f0c9', '#c2d486', '#f5d2b8', '#d8b26a', '#5b7553', 'long'),
  },
  kwame: {
    name: 'Kwame Mensah',
    presence: 'idle',
    work: 'Field stations',
    portrait: face('#d5dcf5', '#98a7e0', '#6d4630', '#15100d', '#c5532f', 'none'),
  },
  zoe: { name: 'Zoë Castellanos-Featherstonehaugh', role: Role.guest, work: 'Harbour of Brest' },
} as const satisfies Readonly<Record<string, SamplePerson>>;

function face(
  light: string,
  dark: string,
  skin: string,
  hair: string,
  shirt: string,
  hairstyle: Portrait['hairstyle'],
): Portrait {
  return { ground: [light, dark], skin, hair, shirt, hairstyle };
}
