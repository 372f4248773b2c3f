import { endSessionsOf } from '@heddle/server/domain/credentials/sessions.ts';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';
import { homeOf } from '../../testing/settled.ts';

const world = browserWorld({ environment: { HEDDLE_WEB_PUBLIC_CHANNELS: 'on' } });

world.test('a link for members leads a spectator to the login page, and from there to its messages', async () => {
  const { ada, route, write } = await sceneOf(world);
  const { client: owner } = world.owner;
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.ok('POST', '/channels/create', { name: 'exhibition', subscribers: [], is_web_public: true });
  const id = await write('only for members');
  world.expectProblems(/status 40[01]: .*(?:messages|topics)/);

  const page = await world.openAsSpectator(`${route}/near/${id}`);
  const main = page.getByRole('main');
  await main.getByText('Log in to read this').waitFor();
  const go = (hash: string) => page.evaluate((to) => location.assign(to), hash);
  await go(`#narrow/dm/${ada.client.userId}-dm`);
  await main.getByText('Log in to read this').waitFor();
  await go('#inbox');
  await main.getByText('The inbox needs an account').waitFor();
  await world.settled(page);
  await untilEqual(() => page.getByText('Direct messages').count(), 0);

  await go(`${route}/near/${id}`);
  await main.getByText('Log in to read this').waitFor();
  await main.getByRole('link', { name: 'Log in', exact: true }).click();
  await page.getByRole('textbox', { name: /email/i }).fill(ada.client.email);
  await page.getByLabel(/^Password/).fill(ada.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await messageOf(page, 'only for members').waitFor();
});

world.test('where visitors can read, a login that ends still leads to the login page and back', async () => {
  const { ada, route, write } = await sceneOf(world);
  const { client: owner } = world.owner;
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.ok('POST', '/channels/create', { name: 'vernissage', subscribers: [], is_web_public: true });
  await write('only for members');
  const page = await world.open(ada, route);
  world.forgetLogin(ada);
  await page.getByText('only for members').waitFor();
  world.expectProblems('status 401', 'no response', /status 400: GET/);
  await endSessionsOf(await homeOf(world.server), ada.client.userId);
  await page.waitForURL(/\/login\//);
  await page.getByRole('textbox', { name: /email/i }).fill(ada.client.email);
  await page.getByLabel(/^Password/).fill(ada.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('only for members').waitFor();
});

world.test(
  'a visitor without an account is offered only searches that need none, and can begin at a date',
  async () => {
    const { client: owner } = world.owner;
    await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    const { id } = await owner.ok('POST', '/channels/create', {
      name: 'finissage',
      subscribers: [],
      is_web_public: true,
    });
    await owner.send(id, 'tapestries', 'a woven sun');
    const page = await world.openAsSpectator('#feed');
    await messageOf(page, 'a woven sun').waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search' });
    await page.getByRole('option', { name: /^sender:/ }).waitFor();
    for (const name of ['dm:', 'dm-including:', 'is:', 'in:']) {
      await untilEqual(() => page.getByRole('option', { name: new RegExp(`^${name}`) }).count(), 0, name);
    }
    await field.pressSequentially('near:2020-01-01 ');
    await field.press('Enter');
    await page.waitForURL(/\/near\/\d+$/);
    await messageOf(page, 'a woven sun').waitFor();
  },
);
