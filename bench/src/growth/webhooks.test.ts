import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutHtmlComments } from '@heddle/server/features/incoming-webhooks/html-comments.ts';
import { documentText } from '@heddle/server/features/incoming-webhooks/integrations/jira/wiki.ts';
import { Payload } from '@heddle/server/features/incoming-webhooks/payload.ts';
import { lengthOf, replaced, samples, sizeOf } from '@heddle/server/testing/services/webhook-samples.ts';
import { assertLinear } from './growth.ts';

/** Many equal characters at the beginning of a text, or within an address. */
const HOSTILE_TEXTS: readonly ((length: number) => string)[] = [
  (length) => `${' '.repeat(length)}\n`,
  (length) => `${'<'.repeat(length)}\n`,
  (length) => `https://a.example/${'/'.repeat(length)}a${' '.repeat(length)}a`,
];

// rules: webhooks-8
test('the time that a payload takes is linear in the length of a text in it', async () => {
  for (const sample of await samples()) {
    const { integration, request, payload } = sample;
    for (let place = 0; place < sizeOf(payload); place++) {
      for (const hostileText of HOSTILE_TEXTS) {
        const name = `value ${place} of ${integration.name} ${request.name}`;
        assertLinear(name, { short: 6_250, long: 50_000 }, (length) => {
          const changed = replaced(payload, place, hostileText(length));
          return () => lengthOf(sample, changed);
        });
      }
    }
  }
});

// rules: webhooks-8
test('a document of Jira takes linear time for spaces in a table, and no more than a text of Jira has is read', () => {
  const documentOf = (text: string) => {
    const node = (type: string, ...content: readonly unknown[]) => ({ type, content });
    return new Payload(node('doc', node('table', node('tableRow', node('tableCell', { type: 'text', text })))));
  };
  assertLinear('spaces in a table', { short: 4_000, long: 32_000 }, (length) => {
    const document = documentOf(`a${' '.repeat(length)}b`);
    return () => documentText(document);
  });
  assert(documentText(documentOf('x'.repeat(1_000_000))).length < 40_000);
});

// rules: webhooks-8
test('the time that a payload takes is linear in the size of its structure', async () => {
  const all = await samples();
  const sampleOf = (name: string) => all.find(({ integration }) => integration.name === name) ?? assert.fail();
  assertLinear('spaces in fields', { short: 1_000, long: 8_000 }, (length) => {
    const spaced = { type: 'mrkdwn', text: `a${' '.repeat(length - 2)}b` };
    const blocks = [{ type: 'section', fields: Array.from({ length: 20 }, () => spaced) }];
    const attachments = Array.from({ length: 10 }, () => ({ blocks }));
    return () => lengthOf(sampleOf('slack_incoming'), { text: 'x', blocks, attachments });
  });
  assertLinear('comments without an end', { short: 8_000, long: 64_000 }, (length) => {
    const text = 'a<!--'.repeat(length / 5);
    return () => withoutHtmlComments(text);
  });
  assertLinear('a list deep inside', { short: 12_500, long: 100_000 }, (length) => {
    const depth = length / 50;
    const list = JSON.parse(`${'['.repeat(depth)}${'1,'.repeat(length)}1${']'.repeat(depth)}`);
    return () => lengthOf(sampleOf('json'), list);
  });
});
