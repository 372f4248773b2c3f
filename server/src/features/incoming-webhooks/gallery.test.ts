/** What people see of integrations before they use them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '@heddle/api/languages.ts';
import { type Language, languageFor } from '../../languages/language.ts';
import { deliveryOf, writtenOutcome } from '../../testing/services/webhooks.ts';
import { INTEGRATIONS, integrationNamed } from './all-integrations.ts';

const documentation = await readFile(join(import.meta.dirname, '../../../../docs/integrations.md'), 'utf8');

function outcomeOf(name: string, body: string): string {
  return writtenOutcome(integrationNamed(name) ?? assert.fail(name), deliveryOf({ headers: {}, body }));
}

const ALL_LANGUAGES: readonly Language[] = LANGUAGES.map(({ tag }) => languageFor([tag]));

/** Names of files, parameters and settings, and addresses: what a reader types must be the same in every language. */
const TYPED = /[\w./]*[._/]\w+/g;

// rules: webhooks-10
test('every integration has a summary and steps in sentences, in every language', () => {
  for (const { name, gallery } of INTEGRATIONS) {
    assert(gallery.steps.length > 0, name);
    for (const message of [gallery.summary, ...gallery.steps]) {
      const english = languageFor(['en']).t(message);
      assert.match(english, /^[A-Z].*[.=]$/s, name);
      for (const { tag, t } of ALL_LANGUAGES) {
        const sentence = t(message);
        assert.match(sentence, /[.=。]$/, `${name} in ${tag}`);
        for (const [typed] of english.matchAll(TYPED)) {
          assert(sentence.includes(typed), `${typed} in ${tag}: ${sentence}`);
        }
      }
    }
  }
});

// rules: webhooks-9
test('the documentation shows every text to paste', () => {
  for (const { name, gallery } of INTEGRATIONS) assert(documentation.includes(gallery.template.trim()), name);
});

// rules: webhooks-9
test('a body to paste, filled in by the service, is one that the integration knows', () => {
  const values: Readonly<Record<string, string>> = {
    '*alertType*': '1',
    '*alertTypeFriendlyName*': 'Down',
    '{{triggered_event}}': '{ticket_action:created}',
    '{{ticket.id}}': '7',
  };
  const filled = (template: string) =>
    template.replaceAll(/\*\w+\*|\{\{[\w.]+\}\}/g, (placeholder) => values[placeholder] ?? 'some words');
  for (const [name, event] of [
    ['uptimerobot', 'down'],
    ['zendesk', 'ticket'],
    ['freshdesk', 'ticket_action'],
  ] as const) {
    const { gallery } = integrationNamed(name) ?? assert.fail(name);
    const outcome = outcomeOf(name, filled(gallery.template));
    assert.equal(outcome.split('\n')[0], event);
    assert.match(outcome, /some words/);
  }
});

// rules: webhooks-9
test('the script for Zabbix posts an event that the integration knows, with its parameters', () => {
  const { gallery } = integrationNamed('zabbix') ?? assert.fail();
  const posted: (readonly [url: string, body: string])[] = [];
  class HttpRequest {
    addHeader(): void {}
    post(url: string, body: string): string {
      posted.push([url, body]);
      return '';
    }
    getStatus(): number {
      return 200;
    }
  }
  const parameters = ['hostname', 'severity', 'status', 'item', 'trigger', 'link'];
  for (const { tag, t } of ALL_LANGUAGES) {
    const steps = gallery.steps.map((step) => t(step)).join(' ');
    assert.deepEqual(steps.match(/\b\w+(?= \(\{)/g), parameters, tag);
  }
  const given = { url: 'https://chat.example.com/', ...Object.fromEntries(parameters.map((name) => [name, name])) };
  const run = new Function('value', 'HttpRequest', gallery.template);
  assert.equal(run(JSON.stringify({ ...given, status: 'PROBLEM' }), HttpRequest), 'OK');
  const [[url, body] = []] = posted;
  assert.equal(url, 'https://chat.example.com/');
  assert.equal(outcomeOf('zabbix', body ?? '').split('\n')[0], 'problem');
});

// rules: webhooks-9
test('the bodies of Zapier, IFTTT and other programs in the documentation are messages', () => {
  const bodyOf = (title: string) =>
    /```json\n(.*?)\n```/s.exec(documentation.split(`**${title}**`)[1] ?? '')?.[1] ?? assert.fail(title);
  assert.match(outcomeOf('zapier', bodyOf('Zapier')), /^message\nOrders\n/);
  assert.match(outcomeOf('ifttt', bodyOf('IFTTT')), /^message\nNews\n/);
  const [, curl = ''] = /-d '(.*)'/.exec(documentation.split('# Everything else')[1] ?? '') ?? [];
  assert.match(outcomeOf('slack_incoming', curl), /^message\n/);
});
