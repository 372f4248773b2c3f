import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibilityEverywhere } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

world.test('an invitation names the channels that newcomers get', async () => {
  const page = await world.open(world.owner, '#invite');
  await page.getByRole('checkbox', { name: /^Add them to the default channels: .*general/ }).waitFor();
});

world.test('on a server without mails, links come first, and nothing claims that a mail was sent', async () => {
  const page = await world.open(world.owner, '#invite');
  assert(await page.getByRole('radio', { name: 'By link' }).isChecked());
  await page.getByRole('radio', { name: 'By mail' }).click();
  await page.getByText('This server does not send mails.').waitFor();
  await page.getByRole('textbox', { name: 'Email addresses' }).fill('kept@example.com');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await page.getByText('The server keeps the invitations as files').waitFor();
  const pending = page.getByRole('list', { name: 'Pending invitations' });
  await pending.getByText('kept@example.com').waitFor();
});

world.test(
  'refused addresses are named with the reason, and stay in the field if the others were invited',
  async () => {
    const ada = await world.user({ name: 'Ada Invited' });
    world.expectProblems('status 400');
    const page = await world.open(world.owner, '#invite');
    await page.getByRole('radio', { name: 'By mail' }).click();
    const field = page.getByRole('textbox', { name: 'Email addresses' });
    const send = page.getByRole('button', { name: 'Send invitations' });
    const pending = page.getByRole('list', { name: 'Pending invitations' });
    const all = `someone@example.com, no-address, ${ada.client.email}`;
    await field.fill(all);
    await send.click();
    await page.getByText('Nobody was invited.').waitFor();
    await page.getByText('no-address: This is no email address.').waitFor();
    await page.getByText(`${ada.client.email}: Someone has an account with this address already.`).waitFor();
    await untilEqual(() => field.inputValue(), all);
    await checkAccessibilityEverywhere(page, 'refused invitations', { without: ['role-img-alt'] });

    await field.fill(`someone@example.com, ${ada.client.email}`);
    await send.click();
    await page.getByText('All were invited except these:').waitFor();
    await pending.getByText('someone@example.com').waitFor();
    await untilEqual(() => field.inputValue(), ada.client.email);
  },
);
