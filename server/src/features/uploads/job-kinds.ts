import Type from 'typebox';
import type { JobKind } from '../../jobs/kind.ts';

const picture = Type.Object({ attachmentId: Type.Integer() });

/** Draws what messages show of an uploaded picture. A picture that cannot be drawn is none, and is no failure of the job. */
export const drawThumbnails: JobKind<typeof picture> = {
  name: 'draw-thumbnails',
  payload: picture,
  maximumAttempts: 5,
  withinSeconds: 120,
  // They take turns anyway: more would only wait, in the room of mails and all else.
  atOnce: 1,
};

const nothing = Type.Object({});

/** Removes the content of deleted files, and of uploads that were given up. */
export const collectFiles: JobKind<typeof nothing> = {
  name: 'collect-files',
  payload: nothing,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 60,
};

/** Deletes files to which no message has linked for long. */
export const deleteUnlinkedFiles: JobKind<typeof nothing> = {
  name: 'delete-unlinked-files',
  payload: nothing,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 3600,
};
