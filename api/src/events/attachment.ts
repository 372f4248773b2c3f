import Type from 'typebox';
import { attachment } from '../objects/attachment.ts';

const common = {
  id: Type.Integer(),
  type: Type.Literal('attachment'),
  upload_space_used: Type.Integer({ description: 'Bytes, of all files of the organization' }),
};

/** A file of the reader's was uploaded, is linked by other messages than before, or is gone. */
export const attachmentEvent = Type.Union([
  Type.Object({ ...common, op: Type.Union([Type.Literal('add'), Type.Literal('update')]), attachment }),
  Type.Object({ ...common, op: Type.Literal('remove'), attachment: Type.Object({ id: Type.Integer() }) }),
]);
