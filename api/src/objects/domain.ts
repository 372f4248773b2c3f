import Type from 'typebox';

/** Where addresses of the organization's accounts may be. */
export const domain = Type.Object({ domain: Type.String(), allow_subdomains: Type.Boolean() });
