import Type from 'typebox';
import { defineEndpoint } from '../contract.ts';

const flag = Type.Boolean();

export const getServerSettings = defineEndpoint({
  operationId: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  area: 'Authentication',
  summary: 'Get the settings of the server',
  description:
    'Clients need these settings before a login. A root domain without an organization has no fields about an organization.',
  authentication: 'none',
  parameters: {},
  response: Type.Object({
    authentication_methods: Type.Object(
      {
        password: flag,
        dev: flag,
        email: flag,
        ldap: flag,
        remoteuser: flag,
        github: flag,
        azuread: flag,
        gitlab: flag,
        google: flag,
        apple: flag,
        saml: flag,
        'openid connect': flag,
      },
      { deprecated: true },
    ),
    external_authentication_methods: Type.Array(
      Type.Object({
        name: Type.String(),
        display_name: Type.String(),
        display_icon: Type.Union([Type.String(), Type.Null()]),
        login_url: Type.String(),
        signup_url: Type.String(),
      }),
    ),
    zulip_feature_level: Type.Integer(),
    zulip_version: Type.String(),
    zulip_merge_base: Type.String(),
    service_feature_level: Type.Integer(),
    service_version: Type.String(),
    service_merge_base: Type.String(),
    push_notifications_enabled: flag,
    is_incompatible: flag,
    email_auth_enabled: flag,
    require_email_format_usernames: flag,
    realm_url: Type.Optional(Type.String()),
    realm_uri: Type.Optional(Type.String({ deprecated: true })),
    realm_name: Type.Optional(Type.String()),
    realm_icon: Type.Optional(Type.String({ description: 'URL of the square logo' })),
    realm_description: Type.Optional(
      Type.String({ description: 'HTML. A default text if the organization has no description' }),
    ),
    realm_web_public_access_enabled: Type.Optional(flag),
  }),
  errors: [],
});

export const checkCompatibility = defineEndpoint({
  operationId: 'check-compatibility',
  method: 'GET',
  path: '/compatibility',
  area: 'Authentication',
  summary: 'Check whether the server supports the client, by its `User-Agent`',
  description: 'Returns an error if not.',
  authentication: 'none',
  parameters: {},
  response: Type.Object({}),
  errors: [],
});
