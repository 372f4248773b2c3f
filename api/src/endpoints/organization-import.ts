import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional, required } from '../contract.ts';
import { importFormat, invitationMails, organizationImport } from '../objects/organization-import.ts';

const area = 'Organization';

/** The value of `purpose` in the metadata of a resumable upload whose file is an archive to import. */
export const ARCHIVE_PURPOSE = 'import';

export const getImport = defineEndpoint({
  operationId: 'get-import',
  method: 'GET',
  path: '/import',
  area,
  summary: 'Get whether an archive can be imported, and the state of the import',
  description:
    'For owners. An import replaces a new organization by that of an archive, at the same address. Upload the archive with a resumable upload ' +
    '(`POST /tus`) whose metadata contains `purpose` with the value `import`.',
  authentication: 'required',
  session: true,
  parameters: {},
  response: Type.Object({
    refusal: Type.Union([Type.Enum(['in_use', 'other_organizations', 'not_supported']), Type.Null()], {
      description:
        'Why nothing can be imported. in_use: the organization is not new any more. other_organizations: the server has others. not_supported: ' +
        'the operator has switched it off. Null: an archive can be imported',
    }),
    max_size: Type.Integer({ minimum: 0, description: 'The largest size of an archive in bytes' }),
    import: Type.Union([organizationImport, Type.Null()]),
    user_id: Type.Integer({ description: 'The id of the caller, which is another one after an import' }),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const startImport = defineEndpoint({
  operationId: 'start-import',
  method: 'POST',
  path: '/import',
  area,
  summary: 'Import the uploaded archive',
  description:
    'For owners. The import runs in the background. Its last step replaces the organization and moves the login of the owner: password and ' +
    'sessions stay valid. API keys and ids change.',
  authentication: 'required',
  session: true,
  parameters: {
    format: required(importFormat),
    name: optional(text({ maxLength: 100, description: 'The name of the organization. Default: that of the archive' })),
    email: optional(
      text({
        maxLength: 254,
        description:
          "The owner's address in the archive. Default: the current address. If nobody has it, the owner gets a new account",
      }),
    ),
  },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const cancelImport = defineEndpoint({
  operationId: 'cancel-import',
  method: 'DELETE',
  path: '/import',
  area,
  summary: 'Cancel the import, or dismiss its report',
  description: 'For owners. The server deletes the archive, and what a running import has written.',
  authentication: 'required',
  session: true,
  parameters: {},
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const sendImportMails = defineEndpoint({
  operationId: 'send-import-mails',
  method: 'POST',
  path: '/import/mails',
  area,
  summary: 'Send mails to the imported people',
  description: 'For owners, once after an import. Each active person but the caller gets a link that sets a password.',
  authentication: 'required',
  session: true,
  parameters: {},
  response: invitationMails,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
