import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { organizationSetting } from '../../access/organization-settings.ts';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { rerenderMessages } from '../../domain/editing/editing/rerendering.ts';
import { imageProxyOf } from '../../domain/texts/external-images/proxy-addresses.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { addJob } from '../../jobs/adding.ts';
import { type Job, type LongJobKind, longJob } from '../../jobs/kind.ts';
import { type Embed, previewableLinks, showEmbeds } from '../../markup/index.ts';
import type { Website } from './website.ts';
import { WEBSITE_TIMEOUT_MS, Websites } from './websites.ts';

const message = Type.Object({
  messageId: Type.Integer(),
  /** Who wrote the links; jobs of earlier versions do not name them. */
  userId: Type.Optional(Type.Integer()),
  /** Whether it was put off because a website was slow. */
  isLate: Type.Optional(Type.Boolean()),
});

/** A job does not wait longer for websites, so that the next one can begin. Their responses are read all the same. */
const PATIENCE_MS = timeoutOf(1_000);
/** When the fetch of a slow website has ended. */
const LATE_AFTER_MS = WEBSITE_TIMEOUT_MS + PATIENCE_MS;

type Payload = Static<typeof message>;

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
  // The websites of one account may be slow.
  turnsBy: 'userId',
};

export function linkPreviewJobs(app: AppContext): readonly Job[] {
  return [
    longJob(previewLinks, async ({ organizationId, payload }) => {
      if (organizationId !== null) await addPreviews(app, organizationId, payload);
    }),
  ];
}

/** Can run again at any time: a message that has previews keeps them. */
async function addPreviews(app: AppContext, organizationId: number, payload: Payload): Promise<void> {
  const { messageId, isLate = false } = payload;
  const organization = await app.organizations.byId(organizationId);
  if (organization === undefined || !organizationSetting(organization.directory, 'inline_url_embed_preview')) return;
  const { rows } = await sql<{ html: string }>`
    SELECT rendered_content AS html FROM messages
     WHERE organization_id = ${organizationId} AND id = ${messageId} AND NOT is_me_message`.execute(app.db);
  const [found] = rows;
  if (found === undefined) return;
  const embeds = new Map<string, Embed>();
  const fetches = previewableLinks(found.html).map(async ({ url }) => {
    const website = await Websites.of(app).get(url);
    if (website !== undefined) embeds.set(url, embedOf(app, organizationId, website));
  });
  if (!(await areDoneWithin(PATIENCE_MS, fetches)) && !isLate) {
    const dueAt = new Date(Date.now() + LATE_AFTER_MS);
    await addJob(app.db, previewLinks, { organizationId, payload: { ...payload, isLate: true }, dueAt });
    return;
  }
  if (embeds.size === 0) return;
  await organization.transact('server', 'optimistic', (change) =>
    rerenderMessages(change, [messageId], (html) => showEmbeds(html, embeds)),
  );
}

/** Whether all promises resolve within the time. They never reject. */
async function areDoneWithin(milliseconds: number, promises: readonly Promise<void>[]): Promise<boolean> {
  const over = new AbortController();
  const late = delay(milliseconds, false, { signal: over.signal }).catch(() => false);
  const isDone = await Promise.race([Promise.all(promises).then(() => true), late]);
  over.abort();
  return isDone;
}

/** Readers get the image from this server, so the other server learns nothing about them. */
function embedOf(app: AppContext, organizationId: number, { title, description, imageUrl }: Website): Embed {
  const imagePath = imageUrl === undefined ? undefined : imageProxyOf(app, organizationId)?.(imageUrl);
  return { title, description, imagePath };
}
