import { dayInWords, durationInWords } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Integration, wordsFor } from '../../integration.ts';
import { bold, cut, joined, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { gallery } from './gallery.ts';

/** By the type of the alert, as a number or in words. */
const EVENTS: Readonly<Record<string, string>> = {
  1: 'down',
  2: 'up',
  3: 'ssl_expiry',
  98: 'started',
  99: 'paused',
  down: 'down',
  up: 'up',
  started: 'started',
  paused: 'paused',
  ssl: 'ssl_expiry',
  'ssl expiry': 'ssl_expiry',
  'ssl and domain expiry': 'ssl_expiry',
};
const TEXTS: Readonly<Record<string, string>> = {
  down: '🚨 is down',
  up: '✅ is up again',
  ssl_expiry: '⚠️ has a certificate or a domain that expires soon',
  started: '▶️ is monitored',
  paused: '⏸️ is no longer monitored',
};

/** The body is one of the user, or Uptime Robot's own with names like `monitorURL`. `docs/integrations.md` has the body. */
export const uptimerobot: Integration = {
  name: 'uptimerobot',
  title: 'Uptime Robot',
  gallery,
  events: [...new Set(Object.values(EVENTS))],
  ignored: {},
  render({ payload }) {
    const name = variable(payload, 'monitor_friendly_name') || payload.need('monitorFriendlyName');
    const type =
      variable(payload, 'alert_type_friendly_name') || variable(payload, 'alert_type') || payload.need('alertType');
    const event = wordsFor(type.toLowerCase(), EVENTS, `alert ${type}`);
    const [icon = '', ...words] = (TEXTS[event] ?? '').split(' ');
    const url = variable(payload, 'monitor_url');
    const head = md`${icon} ${linkIf(name, url)} ${bold(words.join(' '))}.`;
    const seconds = variable(payload, 'alert_duration');
    const duration =
      variable(payload, 'alert_friendly_duration') ||
      (/^\d{1,9}$/.test(seconds) ? durationInWords(Number(seconds)) : '');
    const days = variable(payload, 'ssl_expiry_days_left');
    const details = facts([
      ['Reason', variable(payload, 'alert_details')],
      [event === 'up' ? 'It was down for' : 'Duration', (event === 'up' || event === 'down') && duration],
      ['Expires', event === 'ssl_expiry' && dayInWords(variable(payload, 'ssl_expiry_date'))],
      ['Days left', event === 'ssl_expiry' && days],
    ]);
    return { event, topic: cut(name, 200), content: joined([head, details], '\n\n') };
  },
};

/** The value of `monitor_url`, which Uptime Robot calls `monitorURL`. A variable without a value stays as it is: `*sslExpiryDate*`. */
function variable(payload: Payload, name: string): string {
  const own = name.replaceAll(/_(url|[a-z])/g, (_, letters: string) => letters.toUpperCase());
  return payload.firstText(name, own).replace(/^\*\w+\*$/, '');
}
