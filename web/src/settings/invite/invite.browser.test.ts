import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('an invitation names the channels that newcomers get', async () => {
  const page = await world.open(world.owner, '#invite');
  await page.getByRole('checkbox', { name: /^Add them to the default channels: .*general/ }).waitFor();
});
