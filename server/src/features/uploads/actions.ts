export { lockFilesOf, releaseFiles, relinkMessage, relinkScheduled } from './attachments.ts';
export {
  filesLinkedBy,
  type LinkableFile,
  type LinkableFiles,
  linkableFiles,
  markLinked,
  NewLinks,
  NO_FILES,
} from './links.ts';
export { filesNamedIn } from './names.ts';
export { markupPicture } from './picture.ts';
export { fileUrl } from './present.ts';
export { checkSpaceFor } from './space.ts';
export { Uploads } from './uploading.ts';
