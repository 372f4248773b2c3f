/** What settings can be set to that are numbers of a list; clients show these in their forms. */

export const VIDEO_CHAT_PROVIDERS = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
};

export const GIF_RATINGS = { disabled: { name: 'GIPHY integration disabled', id: 0 } };
