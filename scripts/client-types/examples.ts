export const EXAMPLES: Readonly<Record<string, string>> = {};
