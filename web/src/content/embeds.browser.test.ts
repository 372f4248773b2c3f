import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { TestImageServer } from '@heddle/server/testing/services/image-server.ts';
import sharp from 'sharp';
import { checkAccessibilityEverywhere } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld({ environment: { HEDDLE_IMAGE_PRIVATE_NETWORKS: '127.0.0.1' } });

let sites: TestImageServer;
before(async () => {
  sites = await TestImageServer.start();
});
after(() => sites.stop());

world.test('the preview of a website appears below its link, with a title, a text and an image', async () => {
  const png = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#46a' } })
    .png()
    .toBuffer();
  const image = sites.serveImage('/picture.png', png, 'image/png');
  const url = sites.serve('/article', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<meta property="og:title" content="How looms work"><meta property="og:description" content="A long read about weaving">
         <meta property="og:image" content="${image}">`,
    ),
  );
  await world.server.owner.ok('PATCH', '/realm', { inline_url_embed_preview: true });
  const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
  const channelId = await world.server.emptyChannel(ada.client, 'reading', { principals: [bob.client.userId] });
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/looms`);
  await bob.client.send(channelId, 'looms', `See ${url}`);

  const title = page.getByRole('link', { name: 'How looms work' });
  await title.waitFor();
  await untilEqual(() => title.getAttribute('href'), url);
  await untilEqual(() => title.getAttribute('target'), '_blank');
  await page.getByText('A long read about weaving').waitFor();
  const background = await page
    .locator('.message_embed_image')
    .evaluate((element) => getComputedStyle(element).backgroundImage);
  assert.match(background, /^url\(".*\/external_content\/[\da-f]+\/[\da-f]+"\)$/);
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/external_content/')),
  );
  await checkAccessibilityEverywhere(page, 'a message with the preview of a website', {
    without: ['aria-required-children', 'heading-order'],
  });
});
