import Type from 'typebox';

/** The version or feature level of the server changed. */
export const restartEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('restart'),
  zulip_version: Type.String(),
  zulip_merge_base: Type.String(),
  zulip_feature_level: Type.Integer(),
  service_version: Type.String(),
  service_merge_base: Type.String(),
  service_feature_level: Type.Integer(),
  server_generation: Type.Integer({ description: 'Start time of the server in seconds since the epoch' }),
});
