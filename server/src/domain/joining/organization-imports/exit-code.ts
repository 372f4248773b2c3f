/** The exit code of the command if another process still imports: try again later. */
export const IMPORT_BUSY_CODE = 75;
