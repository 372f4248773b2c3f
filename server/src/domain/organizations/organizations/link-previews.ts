/** The name of the consumer of the log that finds messages with links (`features/link-previews`). */
export const LINK_PREVIEWS = 'link-previews';
