import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Integration, wordsFor } from '../../integration.ts';
import { bold, cut, joined, md } from '../../markdown.ts';
import { isBearer } from '../../signatures.ts';
import { gallery } from './gallery.ts';

const EVENTS: Readonly<Record<string, string>> = { PROBLEM: 'problem', OK: 'ok', RESOLVED: 'ok', UPDATE: 'update' };
const ICONS: Readonly<Record<string, string>> = { problem: '🚨', ok: '✅', update: 'ℹ️' };
const STATES: Readonly<Record<string, string>> = { problem: 'Problem', ok: 'Resolved', update: 'Updated' };

/** The body is that of a media type of the user. `docs/integrations.md` has the script. */
export const zabbix: Integration = {
  name: 'zabbix',
  title: 'Zabbix',
  gallery,
  events: ['ok', 'problem', 'update'],
  ignored: {},
  isSigned: isBearer,
  render({ payload }) {
    const hostname = payload.need('hostname');
    const trigger = payload.need('trigger');
    const status = payload.need('status');
    const event = wordsFor(status.toUpperCase(), EVENTS, `status ${status}`);
    const head = md`${ICONS[event]} ${bold(STATES[event] ?? '')} on ${bold(hostname)}: ${linkIf(trigger, payload.text('link'))}`;
    const details = facts([
      ['Severity', payload.text('severity')],
      ['Item', payload.text('item')],
      ['Message', payload.text('message')],
    ]);
    return { event, topic: cut(hostname, 200), content: joined([head, details], '\n\n') };
  },
};
