/** What the people of the sample organization wrote. */
import type { Short } from './sample-people.ts';

/** Minutes before now. A day has 1440. */
type Age = number;

export interface SampleMessage {
  readonly from: Short;
  readonly age: Age;
  readonly text: string;
  /** Reactions: an emoji, and who used it. */
  readonly reactions?: Readonly<Record<string, readonly Short[]>>;
  /** The name of the message for views and for other messages. */
  readonly key?: string;
}

export interface SampleTopic {
  readonly channel: string;
  readonly topic: string;
  readonly messages: readonly SampleMessage[];
  /** The last messages that `mara` has not read. */
  readonly unread?: number;
}

export interface SampleDirect {
  readonly with: readonly Short[];
  readonly messages: readonly SampleMessage[];
  readonly unread?: number;
}

const YESTERDAY = 1440;

/** Files that messages link to: `{coast}` in a text becomes the path of the upload. */
export const FILES = ['morning', 'noon', 'evening', 'chart', 'minutes'] as const;

export const TOPICS: readonly SampleTopic[] = [
  {
    channel: 'regatta',
    topic: 'results',
    messages: [
      { from: 'luca', age: 90 * YESTERDAY, text: 'Third place of the day, and no collision. See you next summer!' },
    ],
  },
  {
    channel: 'engineering',
    topic: 'tide model v2',
    unread: 2,
    messages: [
      {
        from: 'yuki',
        age: YESTERDAY + 95,
        text: 'The new harmonic model is merged. For Brest the error drops from **11 cm** to **4 cm**:\n\n$$h(t) = Z_0 + \\sum_{k=1}^{37} f_k A_k \\cos(\\omega_k t + u_k - \\varphi_k)$$',
        reactions: { tada: ['mara', 'jonas', 'sam'], ocean: ['kwame'] },
        key: 'formula',
      },
      {
        from: 'jonas',
        age: YESTERDAY + 88,
        text: 'Nice. I evaluate it in one pass now, so a year of predictions takes 40 ms:\n\n```python\ndef height(t, constituents):\n    """Sea level in metres at the times `t` (hours since the epoch)."""\n    level = np.full_like(t, Z0)\n    for c in constituents:\n        level += c.f * c.amplitude * np.cos(c.speed * t + c.u - c.phase)\n    return level\n```',
        key: 'code',
      },
      {
        from: 'yuki',
        age: YESTERDAY + 80,
        text: '| Port | v1 | v2 | Stations |\n|:--|--:|--:|--:|\n| Brest | 11.2 cm | 4.1 cm | 3 |\n| Cuxhaven | 14.8 cm | 6.3 cm | 5 |\n| Bergen | 7.9 cm | 3.0 cm | 2 |',
      },
      {
        from: 'sam',
        age: 64,
        text: '> the error drops from 11 cm to 4 cm\n\nThat matches what I measured at the quay. @**Mara Lindqvist** we can announce it.',
        reactions: { '+1': ['mara', 'yuki'] },
        key: 'mention',
      },
      {
        from: 'sam',
        age: 63,
        text: '[measured-vs-forecast.png]({chart})',
      },
      {
        from: 'jonas',
        age: 21,
        text: '```spoiler The bug behind the remaining 2 cm\nThe gauge in Cuxhaven reports local time in winter **and** in summer.\n```\nSee #**operations>gauge clocks** for the fix.',
      },
      { from: 'noor', age: 12, text: 'Deployed to the canary. I watch the dashboards until five.' },
    ],
  },
  {
    channel: 'engineering',
    topic: 'push notifications on iOS',
    unread: 1,
    messages: [
      {
        from: 'tomas',
        age: 190,
        text: 'Storm warnings arrive twice on iPads. The second token is from an old install.',
      },
      {
        from: 'jonas',
        age: 171,
        text: 'The server should drop it after the first refusal:\n\n```diff\n- await push(token, warning);\n+ const { isGone } = await push(token, warning);\n+ if (isGone) await forget(token);\n```',
        reactions: { eyes: ['tomas'] },
      },
      { from: 'tomas', age: 34, text: 'That works. Ready for review: https://example.com/tides/pull/482' },
    ],
  },
  {
    channel: 'engineering',
    topic: '✔ time zones of stations',
    messages: [{ from: 'kwame', age: 3 * YESTERDAY, text: 'All 212 stations now report in UTC.' }],
  },
  {
    channel: 'engineering',
    topic: 'release 4.2',
    messages: [
      {
        from: 'noor',
        age: 2 * YESTERDAY + 30,
        text: '/todo Release 4.2\nMerge the tide model: behind a flag\nTranslations: German and French\nScreenshots for the store\nTell the harbours',
        key: 'todo',
      },
    ],
  },
  {
    channel: 'design',
    topic: 'new map style',
    unread: 3,
    messages: [
      {
        from: 'priya',
        age: YESTERDAY + 260,
        text: 'Three times of the day for the coast view. The water carries the tide, so it is the only saturated colour.\n\n[morning.png]({morning})\n[noon.png]({noon})\n[evening.png]({evening})',
        reactions: { heart_eyes: ['mara', 'elif', 'greta'], art: ['tomas'] },
        key: 'pictures',
      },
      {
        from: 'tomas',
        age: YESTERDAY + 240,
        text: 'The evening one is *beautiful*. Does it keep 4.5:1 for the labels?',
      },
      { from: 'priya', age: 118, text: 'It does now: the labels have a halo of two pixels.' },
      {
        from: 'priya',
        age: 117,
        text: '/poll Which one opens the app?\nMorning\nNoon\nEvening',
        key: 'poll',
      },
      { from: 'greta', age: 95, text: 'Kvelden. Det er det bildet man husker.' },
    ],
  },
  {
    channel: 'design',
    topic: 'icons',
    messages: [
      {
        from: 'priya',
        age: 2 * YESTERDAY,
        text: 'Use the 16 px grid, a stroke of 1.5 px, and round caps. The files are in #**design>new map style**.',
      },
    ],
  },
  {
    channel: 'support',
    topic: 'harbour of Brest',
    unread: 2,
    messages: [
      {
        from: 'zoe',
        age: 155,
        text: 'Bonjour ! Les horaires de demain matin sont-ils déjà calculés avec le nouveau modèle ?',
        key: 'question',
      },
      { from: 'elif', age: 149, text: 'Bonjour Zoë, oui, depuis ce midi. La différence est de trois minutes.' },
      { from: 'zoe', age: 47, text: 'Merci beaucoup ! Nos pilotes sont ravis. 🎉', reactions: { heart: ['elif'] } },
    ],
  },
  {
    channel: 'support',
    topic: 'billing questions',
    messages: [{ from: 'greta', age: 4 * YESTERDAY, text: 'Invoices go out on the first working day of the month.' }],
  },
  {
    channel: 'operations',
    topic: 'gauge clocks',
    unread: 1,
    messages: [
      {
        from: 'kwame',
        age: 88,
        text: 'I set the clock of Cuxhaven to UTC. It restarts at <time:2026-11-25T06:00:00Z>.',
      },
      { from: 'noor', age: 18, text: 'Thanks! @*operators* please do not restart it before then.' },
    ],
  },
  {
    channel: 'operations',
    topic: 'on call',
    messages: [
      {
        from: 'noor',
        age: YESTERDAY + 20,
        text: 'Handover:\n\n1. The queue of the forecasts is empty.\n2. Disk of `gauge-7` at 71 %.\n3. Nothing else. Sleep well!',
      },
    ],
  },
  {
    channel: 'announcements',
    topic: 'company meeting',
    messages: [
      {
        from: 'mara',
        age: YESTERDAY + 400,
        text: 'The minutes of the company meeting, with the plan for spring: [minutes.pdf]({minutes})',
        reactions: { clap: ['jonas', 'priya', 'elif', 'noor'], rocket: ['tomas', 'yuki'] },
        key: 'minutes',
      },
    ],
  },
  {
    channel: 'lunch',
    topic: 'Thursday',
    unread: 1,
    messages: [
      { from: 'elif', age: 76, text: 'Wer kommt mit zum Mittagessen? Es gibt Fischsuppe am Hafen.' },
      { from: 'jonas', age: 71, text: '/me is already hungry' },
      { from: 'kwame', age: 9, text: 'Half past twelve at the door?' },
    ],
  },
  {
    channel: 'leadership',
    topic: 'budget',
    messages: [{ from: 'mara', age: 5 * YESTERDAY, text: 'Numbers for the field stations, please, by Friday.' }],
  },
];

export const DIRECTS: readonly SampleDirect[] = [
  {
    with: ['mara', 'priya'],
    unread: 1,
    messages: [
      { from: 'mara', age: 260, text: 'Do you have ten minutes for the launch page today?' },
      { from: 'priya', age: 252, text: 'Sure. After lunch?' },
      { from: 'mara', age: 250, text: 'Perfect, one o’clock.', key: 'own' },
      {
        from: 'priya',
        age: 26,
        text: 'I put the drafts into the folder. The second one is my favourite, because the headline fits on one line on a phone.',
      },
    ],
  },
  {
    with: ['mara', 'jonas', 'yuki'],
    messages: [
      { from: 'yuki', age: YESTERDAY + 300, text: 'Shall we present the model together?' },
      { from: 'jonas', age: YESTERDAY + 296, text: 'Yes! You take the physics, I take the speed.' },
      { from: 'mara', age: YESTERDAY + 290, text: 'And I take the applause.', reactions: { joy: ['yuki', 'jonas'] } },
    ],
  },
  {
    with: ['mara', 'greta'],
    messages: [{ from: 'greta', age: 2 * YESTERDAY + 60, text: 'The offer for the new gauges is signed.' }],
  },
];
