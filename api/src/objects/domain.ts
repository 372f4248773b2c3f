import Type from 'typebox';

/** A domain that the organization allows for email addresses. */
export const domain = Type.Object({ domain: Type.String(), allow_subdomains: Type.Boolean() });
