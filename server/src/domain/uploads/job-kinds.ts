import Type from 'typebox';
import type { JobKind } from '../../jobs/kind.ts';

const picture = Type.Object({
  attachmentId: Type.Integer(),
  /** Who uploaded it (`accountOf`); jobs of earlier versions do not name them. */
  accountId: Type.Optional(Type.Integer()),
});

/**
 * Draws the thumbnails of an uploaded picture. If the picture cannot be decoded, the file is no longer treated as one,
 * and the job succeeds.
 */
export const drawThumbnails: JobKind<typeof picture> = {
  name: 'draw-thumbnails',
  payload: picture,
  maximumAttempts: 5,
  withinSeconds: 120,
  // Drawing takes turns in the process. Further jobs would only wait, and occupy workers that mails need.
  atOnce: 1,
  // Large pictures of one account can take minutes.
  turnsBy: 'accountId',
};

const nothing = Type.Object({});

/** Removes the content of deleted files, and of abandoned uploads. */
export const collectFiles: JobKind<typeof nothing> = {
  name: 'collect-files',
  payload: nothing,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 60,
};

/** Deletes files that no message has linked to for weeks. */
export const deleteUnlinkedFiles: JobKind<typeof nothing> = {
  name: 'delete-unlinked-files',
  payload: nothing,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 3600,
};
