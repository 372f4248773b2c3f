import Type from 'typebox';

/** An uploaded file as its owner sees it (interface document, "Attachment detached by a message edit"). */
export const attachment = Type.Object({
  id: Type.Integer(),
  name: Type.String({ description: 'As it was uploaded' }),
  path_id: Type.String({ description: 'Its address is `/user_uploads/<path_id>`' }),
  size: Type.Integer({ description: 'Bytes' }),
  create_time: Type.Integer({ description: 'Milliseconds since the epoch' }),
  messages: Type.Array(
    Type.Object({ id: Type.Integer(), date_sent: Type.Integer({ description: 'Milliseconds since the epoch' }) }),
    { description: 'Those that link to it, newest first' },
  ),
});
