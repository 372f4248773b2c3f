/** What the integrations say about recorded requests, and about hostile ones. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { renderMessage } from '../../markup/index.ts';
import { sampleDirectory, sampleOptions } from '../../testing/model/sample-directory.ts';
import { fc } from '../../testing/random/property.ts';
import {
  contentOf,
  deliveryOf,
  outcomeOf,
  recorded,
  recordedOf,
  writtenOutcome,
} from '../../testing/services/webhooks.ts';
import { INTEGRATIONS, integrationNamed } from './all-integrations.ts';
import { isWanted } from './filters.ts';
import { ASKS_FOR_BOT, type Delivery, FILTERED, type Integration } from './integration.ts';

test('every folder of an integration is in the list', async () => {
  const folders = await readdir(join(import.meta.dirname, 'integrations'));
  assert.deepEqual(INTEGRATIONS.map(({ name }) => name).toSorted(), folders.toSorted());
});

for (const integration of INTEGRATIONS) {
  describe(integration.title, async () => {
    for (const request of await recordedOf(integration.name)) {
      // rules: webhooks-9
      test(`the recorded request ${request.name} causes what its file says`, () => {
        assert.equal(writtenOutcome(integration, deliveryOf(request)), request.outcome);
        checkOutcome(integration, deliveryOf(request));
      });
    }
  });
}

/** Without filters, each request causes a message or is ignored by name or refused. The lists name all events. */
function checkOutcome(integration: Integration, delivery: Delivery): void {
  const outcome = outcomeOf(integration, delivery);
  if (outcome === undefined || outcome === ASKS_FOR_BOT) return;
  assert(outcome !== FILTERED, 'no filter was given');
  if ('ignored' in outcome) {
    assert(Object.hasOwn(integration.ignored, outcome.ignored), `the ignored events lack ${outcome.ignored}`);
  } else if (integration.events.length > 0) {
    assert(
      isWanted(outcome.event, integration.events, undefined),
      `the list of events lacks ${outcome.event} (${integration.name})`,
    );
  }
}

/** Strings that mean something in messages. Nobody has these texts by accident. */
const HOSTILE = [
  '@**all**',
  ' @**all** ',
  '@**Iago** @*admins*',
  '@',
  '@_',
  '**all**',
  '*admins*',
  '`\n@**all**\n`',
  '```\n@**all**\n```',
  '````quote\n@**topic**\n````',
  '](https://evil.example) @**all** [',
  '<|>@**all**',
  '@<|>**all**',
  '<!channel|x>@**all**',
  '/poll @**all**',
  '> @**all**',
  '- @**all**',
  '&#64;**all**',
  '\u0000\ud800@**all**',
  '@\r**all**',
  'x @',
  '$$',
  'https://example.com/(@**all**)',
  'https://example.com/?q=`@**all**`',
  '',
];

/** The payload with hostile texts in place of some of its texts. */
function withTexts(value: unknown, next: () => string | undefined): unknown {
  if (typeof value === 'string') return next() ?? value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, next));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, next)]));
}

// rules: webhooks-8
test('no text of a payload mentions anybody, whichever texts of it are hostile', async () => {
  const all = INTEGRATIONS.map(async (integration) =>
    (await recordedOf(integration.name)).map(
      (of) => [`${integration.name} ${of.name}`, { integration, request: of }] as const,
    ),
  );
  const requests = new Map((await Promise.all(all)).flat());
  fc.assert(
    fc.property(
      fc.constantFrom(...requests.keys()),
      fc.array(fc.option(fc.constantFrom(...HOSTILE), { nil: undefined }), { minLength: 5, maxLength: 40 }),
      (name, texts) => {
        const { integration, request } = requests.get(name) ?? assert.fail(name);
        let at = 0;
        // Slack has its own markup for mentions of everybody.
        const next = () => texts[at++ % texts.length]?.replaceAll(/<!(?:channel|everyone|here)/g, '<!other');
        const payload = withTexts(JSON.parse(request.body.replaceAll('<!channel>', '')), next);
        const source = contentOf(integration, deliveryOf(request, {}, payload));
        if (source === undefined) return;
        assert(source.isWellFormed() && !source.includes('\0'));
        const { html } = renderMessage(source, sampleDirectory, sampleOptions);
        assert.doesNotMatch(html, /class="[^"]*(?:user-mention|user-group-mention|topic-mention)/, source);
      },
    ),
    { numRuns: 3000 },
  );
});

/** What the integration says about the payload, as HTML. */
function htmlOf(integration: string, payload: unknown): string {
  const source = contentOf(integrationOf(integration), deliveryOf({ headers: {}, body: '{}' }, {}, payload));
  return renderMessage(String(source), sampleDirectory, sampleOptions).html;
}

// rules: webhooks-8
test('no reference of Slack begins a mention that the text after it completes', () => {
  const references = [
    '<@U1|x @>',
    '<foo|x @>',
    '<#C1|x @>',
    '<mailto:a@b.c|x @>',
    '<!subteam^S1|x @>',
    '<!date^1|x @>',
  ];
  const empty = ['<@>', '<@| >', '<@|_>', '<!subteam>', '<@U1|x @><!date^1|_>', 'by eve: <img src="a|@"> <b | @>'];
  for (const reference of [...references, ...empty]) {
    for (const name of ['*Iago*', '**Iago**', '*all*', '**all**', '_admins_', '_*admins*_']) {
      const html = htmlOf('slack_incoming', { text: reference + name });
      assert.doesNotMatch(html, /(?:user-mention|user-group-mention|topic-mention)/, reference + name);
    }
  }
});

// rules: webhooks-8
test('a text of a person mentions nobody, whatever separates its at sign from the name', async () => {
  const comment = await recorded('github', 'issue-comment');
  const payload = JSON.parse(comment.body);
  payload.comment.body = 'see @\r**all**';
  const source = contentOf(integrationOf('github'), deliveryOf(comment, {}, payload));
  const { html } = renderMessage(String(source), sampleDirectory, sampleOptions);
  assert.doesNotMatch(html, /user-mention/);
});

// rules: webhooks-8
test('code mentions nobody, even if the message is truncated before its end', async () => {
  const run = await recorded('github', 'workflow-run');
  const payload = JSON.parse(run.body);
  payload.workflow_run.head_branch = 'x @**all** y';
  const source = String(contentOf(integrationOf('github'), deliveryOf(run, {}, payload)));
  const truncated = source.slice(0, source.indexOf(' y`'));
  const { html } = renderMessage(truncated, sampleDirectory, sampleOptions);
  assert.match(html, /`x @\u200b<strong>all<\/strong>/);
});

// rules: webhooks-8
test('a value shows as it is, in a paragraph and in a list', () => {
  const blocks = ['# h', '###### h', '#', '- x', '-', '---', '- - -', '___', '+ x', '1. x', '> x', '```', '~~~', '***'];
  for (const value of [
    ...blocks,
    ':smile:',
    'a:tada:b',
    'job:up',
    '&lt; &#42; &amp;amp;',
    '$$x$$',
    '|a|b|',
    '12:30:45',
    '#1',
    '5.0 x',
  ]) {
    const evalMatches = [{ metric: value, value: 1 }];
    const html = htmlOf('grafana', { state: 'alerting', ruleName: 'x', message: `\n${value}\n`, evalMatches });
    const shown = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    assert.equal(html.slice(html.indexOf('\n') + 1), `<p>${shown}</p>\n<ul>\n<li>${shown}: 1</li>\n</ul>`);
  }
});

// rules: webhooks-8
test('a web address in a value becomes a link to that address', () => {
  for (const address of ['https://example.com/?a=1&b=2', 'https://example.com/a:smile:b', 'http://localhost:3000/']) {
    const html = htmlOf('grafana', { state: 'ok', ruleName: 'x', message: `see ${address}` });
    const written = address.replaceAll('&', '&amp;');
    assert(html.includes(`<p>see <a href="${written}">${written}</a></p>`), html);
  }
});

// rules: webhooks-8
test('messages are bounded, however long the lists and texts of a payload are', async () => {
  for (const integration of INTEGRATIONS) {
    for (const request of await recordedOf(integration.name)) {
      const grown = JSON.parse(request.body, (_, value) => {
        if (Array.isArray(value) && value.length > 0) return Array.from({ length: 200 }, () => value[0]);
        return typeof value === 'string' && value.length > 30 ? value.repeat(100) : value;
      });
      const { length } = contentOf(integration, deliveryOf(request, {}, grown)) ?? '';
      assert(length < 60_000, `${integration.name} ${request.name}: ${length} characters`);
    }
  }
});

// rules: webhooks-7
test('a payload without what the message needs is refused, and never fails', async () => {
  for (const integration of INTEGRATIONS) {
    for (const request of await recordedOf(integration.name)) {
      for (const payload of [null, 1, 'text', [], {}, [request.body]]) {
        checkOutcome(integration, deliveryOf(request, {}, payload));
      }
      const names = new Set(request.body.match(/(?<=")\w+(?=":)/g));
      for (const name of names) {
        for (const other of [undefined, null, [], {}, 7, true]) {
          const payload = JSON.parse(request.body, (key, value) => (key === name ? other : value));
          checkOutcome(integration, deliveryOf(request, {}, payload));
        }
      }
    }
  }
});

function integrationOf(name: string): Integration {
  return integrationNamed(name) ?? assert.fail(`there is no integration ${name}`);
}

describe('parameters of one integration', () => {
  // rules: webhooks-9
  test('pushes to other branches than those in the URL, and builds of them, cause no message', async () => {
    for (const [name, request, branch] of [
      ['github', 'push', 'main'],
      ['gitlab', 'push', 'main'],
      ['gitlab', 'pipeline', 'main'],
      ['gitea', 'push', 'develop'],
      ['bitbucket2', 'push', 'main'],
      ['bitbucket3', 'push', 'main'],
      ['jenkins', 'failed', 'main'],
      ['circleci', 'workflow-completed', 'main'],
      ['circleci', 'workflow-gitlab-canceled', 'weave'],
      ['azuredevops', 'push', 'main'],
      ['azuredevops', 'build', 'main'],
      ['teamcity', 'build-failed', 'main'],
      ['teamcity', 'plugin-success', 'release'],
      ['netlify', 'deploy-created', 'main'],
      ['travis', 'failed', 'main'],
      ['gitea', 'workflow', 'main'],
      ['sonarqube', 'failed', 'main'],
    ] as const) {
      const delivery = await recorded(name, request);
      const of = (branches: string) => integrationOf(name).render(deliveryOf(delivery, { branches }));
      for (const wanted of [`other, ${branch}`, '', ' ']) assert.notEqual(of(wanted), FILTERED, `${name} ${request}`);
      assert.equal(of('other'), FILTERED, `${name} ${request}`);
    }
  });

  // rules: webhooks-9
  test('GitHub: private repositories can be left out, and the repository can be named', async () => {
    const opened = await recorded('github', 'issue-opened');
    const payload = JSON.parse(opened.body);
    const github = integrationOf('github');
    const hidden = { ...payload, repository: { ...payload.repository, private: true } };
    const ignoring = { ignore_private_repositories: true };
    assert.equal(github.render(deliveryOf(opened, ignoring, hidden)), FILTERED);
    assert.notEqual(github.render(deliveryOf(opened, ignoring)), FILTERED);
    const named = contentOf(github, deliveryOf(opened, { include_repository_name: true }));
    assert.match(String(named), /in baxterthehacker\/public-repo:/);
  });

  // rules: webhooks-9
  test('GitLab: topics of merge requests can leave out the title', async () => {
    const opened = await recorded('gitlab', 'merge-request-open');
    const written = writtenOutcome(integrationOf('gitlab'), deliveryOf(opened, { use_merge_request_title: false }));
    assert.equal(written.split('\n')[1], 'Diaspora / MR #1');
  });

  // rules: webhooks-9
  test('Alertmanager: the URL names the labels that name and describe an alert', async () => {
    const alerts = await recorded('alertmanager', 'one-resolved');
    const delivery = deliveryOf(alerts, { name: 'severity', desc: 'summary' });
    const written = writtenOutcome(integrationOf('alertmanager'), delivery);
    assert.equal(written.split('\n')[1], 'warning');
    assert.match(written, /\*\*warning\*\*: \[Disk space is low\]/);
  });
});
