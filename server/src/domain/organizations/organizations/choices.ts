/** The choices of settings that are numbers from a list. Clients show them in forms. */

interface Choice {
  readonly name: string;
  readonly id: number;
}

/** BigBlueButton is a choice if the operator has configured it. */
export function videoChatProviders(has: { readonly bigBlueButton: boolean }): Readonly<Record<string, Choice>> {
  return {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    ...(has.bigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: 4 } }),
    // The public reference has no such provider. Its other numbers are small.
    custom_url: { name: 'Custom URL', id: 100 },
  };
}

export const GIF_RATINGS = { disabled: { name: 'GIPHY integration disabled', id: 0 } };
