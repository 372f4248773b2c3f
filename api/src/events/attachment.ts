import Type from 'typebox';
import { attachment } from '../objects/attachment.ts';

const common = {
  id: Type.Integer(),
  type: Type.Literal('attachment'),
  upload_space_used: Type.Integer({ description: 'Total size of the files of the organization in bytes' }),
};

/** A file of the user was uploaded or deleted, or other messages link to it. */
export const attachmentEvent = Type.Union([
  Type.Object({ ...common, op: Type.Union([Type.Literal('add'), Type.Literal('update')]), attachment }),
  Type.Object({ ...common, op: Type.Literal('remove'), attachment: Type.Object({ id: Type.Integer() }) }),
]);
