import { sql } from 'kysely';
import Type from 'typebox';
import { organizationSetting } from '../../access/organization-settings.ts';
import { rerenderMessages } from '../../domain/editing/editing/rerendering.ts';
import { imageProxyOf } from '../../domain/texts/external-images/proxy-addresses.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type Job, type LongJobKind, longJob } from '../../jobs/kind.ts';
import { type Embed, previewableLinks, showEmbeds } from '../../markup/index.ts';
import type { Website } from './website.ts';
import { Websites } from './websites.ts';

const message = Type.Object({
  messageId: Type.Integer(),
  /** Who wrote the links; jobs of earlier versions do not name them. */
  userId: Type.Optional(Type.Integer()),
});

/** Fetches the websites to which a message links, and adds their previews to the message. */
export const previewLinks: LongJobKind<typeof message> = {
  name: 'preview-links',
  payload: message,
  // A preview that is missing harms nobody.
  maximumAttempts: 2,
  withinSeconds: 60,
  // It holds no transaction while another server responds.
  isLong: true,
  // Other servers can be slow. Mails need workers, too.
  atOnce: 2,
};

export function linkPreviewJobs(app: AppContext): readonly Job[] {
  return [
    longJob(previewLinks, async ({ organizationId, payload }) => {
      if (organizationId !== null) await addPreviews(app, organizationId, payload.messageId);
    }),
  ];
}

/** Can run again at any time: a message that has previews keeps them. */
async function addPreviews(app: AppContext, organizationId: number, messageId: number): Promise<void> {
  const organization = await app.organizations.byId(organizationId);
  if (organization === undefined || !organizationSetting(organization.directory, 'inline_url_embed_preview')) return;
  const { rows } = await sql<{ html: string }>`
    SELECT rendered_content AS html FROM messages
     WHERE organization_id = ${organizationId} AND id = ${messageId} AND NOT is_me_message`.execute(app.db);
  const [found] = rows;
  if (found === undefined) return;
  const embeds = new Map<string, Embed>();
  await Promise.all(
    previewableLinks(found.html).map(async ({ url }) => {
      const website = await Websites.of(app).get(url);
      if (website !== undefined) embeds.set(url, embedOf(app, organizationId, website));
    }),
  );
  if (embeds.size === 0) return;
  await organization.transact('server', 'optimistic', (change) =>
    rerenderMessages(change, [messageId], (html) => showEmbeds(html, embeds)),
  );
}

/** Readers get the image from this server, so the other server learns nothing about them. */
function embedOf(app: AppContext, organizationId: number, { title, description, imageUrl }: Website): Embed {
  const imagePath = imageUrl === undefined ? undefined : imageProxyOf(app, organizationId)?.(imageUrl);
  return { title, description, imagePath };
}
