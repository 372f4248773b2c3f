import Type from 'typebox';

/** An uploaded file, for its owner (interface document, "Attachment detached by a message edit"). */
export const attachment = Type.Object({
  id: Type.Integer(),
  name: Type.String({ description: 'The name of the uploaded file' }),
  path_id: Type.String({ description: 'The file has the path `/user_uploads/<path_id>`' }),
  size: Type.Integer({ description: 'Bytes' }),
  create_time: Type.Integer({ description: 'Milliseconds since the epoch' }),
  messages: Type.Array(
    Type.Object({ id: Type.Integer(), date_sent: Type.Integer({ description: 'Milliseconds since the epoch' }) }),
    { description: 'Messages with a link to the file, newest first' },
  ),
  message_ids: Type.Array(Type.Integer(), { description: 'The ids of `messages`, for clients of level 469 and later' }),
});
