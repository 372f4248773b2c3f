import type { Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import type { LiveSession } from '../drafts/live-sessions.ts';
import type { ComposeSession } from '../drafts/session.ts';
import type { AppCommand } from './commands.ts';

/**
 * Carries a command out.
 * @param session in which the command was typed
 * @returns why it is not possible, as a sentence
 */
export type RunCommand = (
  app: App,
  command: AppCommand,
  place: Place | undefined,
  session: LiveSession,
) => Promise<string | undefined>;

/** Commands use dialogs of all parts of the app, which this folder does not know. */
let loadRunner: (() => Promise<RunCommand>) | undefined;

export function setCommandRunner(load: () => Promise<RunCommand>): void {
  loadRunner = load;
}

/** Takes the command out of the box. If it is not possible, it stands there again, unless the user has written something else. */
export async function runCommand(app: App, session: ComposeSession, command: AppCommand): Promise<void> {
  const { place, text } = session;
  const written = session.take();
  const problem = await perform(app, command, place, session);
  if (problem === undefined) return;
  toasts.show({ text: problem, kind: 'error', key: 'command' });
  if (!text.isEmpty) return;
  text.set(written);
  // The user can have gone elsewhere, so that nothing else stores it.
  session.save();
}

async function perform(...command: Parameters<RunCommand>): Promise<string | undefined> {
  try {
    const run = await loadRunner?.();
    return await run?.(...command);
  } catch {
    return t('The server cannot be reached. Try again later.');
  }
}
