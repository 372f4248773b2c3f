/** The environment has invalid values. `message` has a line for each of them and for each warning, without secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
