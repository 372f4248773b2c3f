import assert from 'node:assert/strict';
import { browserWorld } from './browser-world.ts';

const world = browserWorld();

world.test('a person who logged in through the login page gets the app', async () => {
  const ada = await world.user({ name: 'Ada Weaver' });
  const page = await world.open(ada);
  assert.equal(new URL(page.url()).pathname, '/');
  const session = (await page.context().cookies()).find(({ name }) => name === 'sessionid');
  assert.equal(session?.httpOnly, true);
});

world.test('the policy of the page refuses inline scripts and texts that become scripts', async () => {
  const page = await world.open(world.owner);
  world.expectProblems('content security policy', 'Content Security Policy', 'TrustedScript', 'TrustedHTML', 'require');
  const outcome = await page.evaluate(() => {
    const results: { script?: string; html?: string } = {};
    const script = document.createElement('script');
    try {
      script.textContent = 'globalThis.wasRun = true';
      document.body.append(script);
    } catch (error) {
      results.script = String(error);
    }
    try {
      document.body.insertAdjacentHTML('beforeend', '<img alt="" src="x" onerror="globalThis.wasRun = true">');
    } catch (error) {
      results.html = String(error);
    }
    return { ...results, wasRun: 'wasRun' in globalThis };
  });
  assert.equal(outcome.wasRun, false);
  assert.match(String(outcome.html), /TrustedHTML/);
});

world.test('a bot answers what a person sends', async () => {
  const bot = await world.bot({ onMessage: (message, reply) => reply(`You wrote: ${message.content}`) });
  const { client } = await world.user({ name: 'Bob' });
  const queue = await client.register({ event_types: ['message'], apply_markdown: false });
  await client.direct([bot.userId], 'hello');
  const [, answer] = await queue.take(2);
  assert.equal(answer?.message.content, 'You wrote: hello');
  assert.equal(bot.session.status.state, 'live');
});
