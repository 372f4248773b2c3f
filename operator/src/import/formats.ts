/** The formats of archives, for the commands and for imports in the browser. */
import type { ImportFormat } from '@heddle/api/objects/organization-import.ts';
import type { OpenApp } from '@heddle/server/open-app.ts';
import type { ArchiveReader, OpenedSource } from './foreign.ts';
import type { ImportReport } from './report.ts';
import type { ImportSession } from './session-type.ts';

interface Opening {
  readonly path: string;
  readonly app: OpenApp;
  readonly session: ImportSession;
  readonly report: ImportReport;
  readonly progress: { show(text: string): void };
  readonly signal: AbortSignal;
}

export interface Format {
  readonly name: ImportFormat;
  readonly summary: string;
  readonly path: string;
  readonly open: (opening: Opening) => Promise<OpenedSource>;
}

export const formats: readonly Format[] = [
  {
    name: 'heddle',
    summary: 'Create an organization from an archive of `export`, or from a data export of administrators',
    path: 'The zip archive, or a directory with its content',
    async open({ path, session, progress }) {
      const [{ openArchive }, { readHeddleArchive }] = await Promise.all([
        import('./archives/open-archive.ts'),
        import('./heddle/heddle-source.ts'),
      ]);
      const archive = await openArchive(path, session.workDirectory, (files) =>
        progress.show(`Unpacked ${files} files`),
      );
      try {
        return { source: await readHeddleArchive(archive), close: () => archive.close() };
      } catch (error) {
        await archive.close();
        throw error;
      }
    },
  },
  {
    name: 'slack',
    summary: 'Create an organization from the export of a Slack workspace',
    path: 'The zip archive, or a directory with its content',
    open: (opening) =>
      openOther(opening, 'Slack', async (archive, report, rows) => {
        const { readSlackArchive } = await import('./slack/slack-archive.ts');
        return readSlackArchive(archive, report, rows);
      }),
  },
  {
    name: 'mattermost',
    summary: 'Create an organization from a bulk export of Mattermost',
    path: 'The zip archive, a directory with its content, or the .jsonl file',
    open: (opening) =>
      openOther(opening, 'Mattermost', async (archive, report, rows) => {
        const { readMattermostArchive } = await import('./mattermost/mattermost-archive.ts');
        return readMattermostArchive(archive, report, rows);
      }),
  },
  {
    name: 'zulip',
    summary: 'Create an organization from an export of the reference server',
    path: 'The .tar.gz archive, a directory with its content, or a zip archive of it',
    open: (opening) =>
      openOther(opening, 'Zulip', async (archive, report, rows) => {
        const { readZulipArchive } = await import('./zulip/zulip-archive.ts');
        return readZulipArchive(archive, report, rows);
      }),
  },
  {
    name: 'rocketchat',
    summary: 'Create an organization from a `mongodump` of Rocket.Chat',
    path: 'The directory of the dump, or a tar or zip archive of it',
    open: (opening) =>
      openOther(opening, 'Rocket.Chat', async (archive, report, rows, blobs) => {
        const { readRocketChatArchive } = await import('./rocketchat/rocketchat-archive.ts');
        return readRocketChatArchive(archive, report, rows, blobs);
      }),
  },
];

async function openOther(
  { path, app, session, report, progress, signal }: Opening,
  program: string,
  read: ArchiveReader,
): Promise<OpenedSource> {
  const { openForeign } = await import('./foreign.ts');
  return await openForeign(path, read, session, {
    program,
    secret: app.secret,
    organizationUrl: app.address.of(session.subdomain),
    imagePreviews: app.config.imagePreviews,
    report,
    progress: (text) => {
      signal.throwIfAborted();
      progress.show(text);
    },
  });
}
