import Type from 'typebox';

/** Of Heddle alone, for clients with the capability `web_push`. */
export const webPushState = {
  web_push_public_key: Type.Optional(
    Type.String({ description: 'The `applicationServerKey` for `PushManager.subscribe`, in Base64 for URLs' }),
  ),
};
