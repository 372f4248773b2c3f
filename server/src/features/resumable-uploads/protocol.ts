/** The protocol tus (https://tus.io), as far as it is there. */
export const TUS_VERSION = '1.0.0';
export const EXTENSIONS = ['creation', 'creation-with-upload', 'termination'];
